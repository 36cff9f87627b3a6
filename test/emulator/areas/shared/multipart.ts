/** One part of a `multipart/form-data` body that carries a file. */
export interface UploadedFile {
  readonly name: string;
  readonly fileName: string;
  readonly data: Buffer;
}

function fileOf(part: Buffer): UploadedFile | undefined {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const disposition = /^content-disposition:(.*)$/im.exec(part.subarray(0, end).toString('utf8'))?.[1] ?? '';
  const name = /[;\s]name="([^"]*)"/i.exec(disposition)?.[1];
  const fileName = /[;\s]filename="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined || fileName === undefined) return undefined;
  return { name, fileName, data: part.subarray(end + 4) };
}

/** The files of a body (RFC 7578); none when the content type is another or names no boundary. */
export function uploadedFiles(contentType: string, body: Buffer): readonly UploadedFile[] {
  const boundary = /^multipart\/form-data\s*;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const found: UploadedFile[] = [];
  for (let at = whole.indexOf(delimiter); at !== -1;) {
    const start = at + delimiter.length + 2;
    const next = whole.indexOf(delimiter, start);
    const file = next === -1 ? undefined : fileOf(whole.subarray(start, next));
    if (file !== undefined) found.push(file);
    at = next;
  }
  return found;
}
