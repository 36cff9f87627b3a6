import { describe, expect, it } from 'vitest';
import { multipart } from '../../../src/cloud/http/multipart.ts';
import { Sensitive } from '../../../src/resource/index.ts';
import { uploadedFiles } from '../../emulator/areas/shared/multipart.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
const file = (fileName: string, data: Uint8Array = png) => ({ file: { fileName, data: new Sensitive(data) } });

describe('a body of files', () => {
  it('is read as it was sent, also where it is no text', () => {
    const { type, bytes } = multipart(file('screen.png'));
    const [found] = uploadedFiles(type, Buffer.from(bytes));
    expect(found).toMatchObject({ name: 'file', fileName: 'screen.png' });
    expect(found?.data.subarray(0, png.length)).toEqual(Buffer.from(png));
  });
  it('is read by others too', async () => {
    const { type, bytes } = multipart({ ...file('a.png'), note: 'for you' });
    const form = await new Response(Buffer.from(bytes), { headers: { 'content-type': type } }).formData();
    const sent = form.get('file');
    expect(form.get('note')).toBe('for you');
    expect(sent instanceof File ? [sent.name, new Uint8Array(await sent.arrayBuffer())] : sent).toEqual(['a.png', png]);
  });
  it('cannot be broken out of by a name', () => {
    const { type, bytes } = multipart(file('a"; filename="b.txt\r\n\r\nx.png'));
    expect(uploadedFiles(type, Buffer.from(bytes)).map(({ fileName }) => fileName)).toEqual(['a%22; filename=%22b.txt%0D%0A%0D%0Ax.png']);
  });
  it('is the same for the same call, and ends where its files do not', () => {
    expect(multipart(file('a.png'))).toEqual(multipart(file('a.png')));
    expect(multipart(file('a.png')).type).not.toBe(multipart(file('b.png')).type);
  });
});
