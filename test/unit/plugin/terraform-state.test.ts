import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isBelow, nameFrom } from '../../../src/plugin/terraform/state/address.ts';
import { forgetting } from '../../../src/plugin/terraform/forget.ts';
import { stateOf } from '../../../src/plugin/terraform/state/state.ts';
import { stateText } from '../../support/terraform/state.ts';

const state = (resource: object, whole: object = {}): string =>
  JSON.stringify({
    version: 4,
    resources: [
      {
        mode: 'managed',
        type: 'linode_volume',
        name: 'data',
        provider: 'provider["registry.terraform.io/linode/linode"]',
        instances: [{ attributes: { id: '1', label: 'Marked' } }],
        ...resource,
      },
    ],
    ...whole,
  });
const read = (resource: object) => stateOf('state.json', state(resource)).instances;

it('may have names in the letters of any script, as the language allows', () => {
  const [one] = read({ module: 'module.größe["ä"]', name: 'données-1' });
  expect(one?.address).toBe('module.größe["ä"].linode_volume.données-1');
});

describe('a state', () => {
  it.each([
    ['{"Marked": ', 'state.json is no JSON'],
    [JSON.stringify({ encrypted_data: 'Marked' }), 'is encrypted'],
    [state({}, { version: 3 }), 'not of state version 4'],
    [state({}, { resources: 'Marked' }), 'resources is not as it should be'],
    [state({ instances: [{ attributes: 'Marked' }] }), 'resources.0.instances.0 is not as it should be'],
    [state({ instances: [{ attributes_flat: { id: 'Marked' } }] }), 'of Terraform 0.11 or older'],
    [state({ module: 'module.x; rm -rf Marked' }), 'changed by hand'],
    [state({ name: 'a b' }), 'changed by hand'],
    ['[]', 'is no state of Terraform'],
    [JSON.stringify({ format_version: '1.2', planned_values: {}, resource_changes: [], secret: 'Marked' }), 'a plan, and not a state'],
    [JSON.stringify({ format_version: '1.0', values: { root_module: { resources: ['Marked'] } } }), 'resources.0 is not as it should be'],
    [
      JSON.stringify({
        format_version: '1.0',
        values: {
          root_module: {
            child_modules: [
              {
                address: 'module.x; rm',
                resources: [
                  {
                    mode: 'managed',
                    type: 'linode_volume',
                    name: 'x',
                    provider_name: 'registry.terraform.io/linode/linode',
                    values: { id: 'Marked' },
                  },
                ],
              },
            ],
          },
        },
      }),
      'changed by hand',
    ],
  ])('%#: is refused with what to do, and without what is in it', (text, says) => {
    const refused = (): unknown => stateOf('state.json', text);
    expect(refused).toThrow(says);
    expect(refused).not.toThrow('Marked');
  });

  it('names instances as Terraform does, and counts what is of other providers', () => {
    const instances = [{ index_key: 0 }, { index_key: 'a"${b}\\' }, { index_key: 'line\nbreak' }];
    expect(read({ module: 'module.shop["eu.1"].module.web[2]', instances }).map(({ address }) => address)).toEqual([
      'module.shop["eu.1"].module.web[2].linode_volume.data[0]',
      String.raw`module.shop["eu.1"].module.web[2].linode_volume.data["a\"$${'${'}b}\\"]`,
      String.raw`module.shop["eu.1"].module.web[2].linode_volume.data["line\u000abreak"]`,
    ]);
    expect(read({ module: 'module.shop["eu"]', instances: [{ index_key: 3 }] })[0]?.words).toEqual(['shop', 'eu', 'data', '3']);
    expect(stateOf('x', stateText('2.0', []))).toMatchObject({ instances: [], others: 1, serial: 412 });
  });
  it.each([
    ['provider["registry.terraform.io/linode/linode"]', undefined],
    ['provider["registry.opentofu.org/linode/linode"].eu', 'eu'],
    ['module.shop.provider["registry.terraform.io/linode/linode"].eu', 'eu'],
    ['provider["registry.terraform.io/-/linode"]', undefined],
    ['provider.linode.old', 'old'],
  ])('%s is the configuration %s', (provider, alias) => expect(read({ provider })[0]?.alias).toBe(alias));
  it.each(['provider["registry.terraform.io/hashicorp/linode-like"]', 'provider.aws'])('%s is not looked at', (provider) =>
    expect(read({ provider })).toEqual([]),
  );

  it('makes names that objects may have', () => {
    expect(nameFrom(['shop', 'EU', 'Data_1'], 'x')).toBe('shop-eu-data-1');
    const long = nameFrom(['a'.repeat(70)], 'x');
    expect(long).toMatch(/^a+-[0-9a-f]{8}$/);
    expect(long).toHaveLength(63);
    expect(nameFrom(['a'.repeat(70)], 'y')).not.toBe(long);
    expect(nameFrom(['___'], 'x')).toMatch(/^[0-9a-f]{8}$/);
  });
  it('takes what lies below an address, and not what only begins like it', () => {
    expect(isBelow('module.shop.linode_volume.data[0]', 'module.shop')).toBe(true);
    expect(isBelow('linode_volume.data[0]', 'linode_volume.data')).toBe(true);
    expect(isBelow('module.shop2.linode_volume.data', 'module.shop')).toBe(false);
  });
});

describe('what makes Terraform forget', () => {
  it('has a block for each whole resource, and a command that a shell reads as one word for each instance', () => {
    const keys = ["it's", '$(touch x)', 'a"b`c`', 'line\nbreak'];
    const instances = [...read({}), ...read({ name: 'more', instances: keys.map((index_key) => ({ index_key })) })];
    const files = forgetting(instances);
    expect(files.get('removed.tf')).toContain('\nremoved {\n  from = linode_volume.data\n\n  lifecycle {\n    destroy = false\n  }\n}\n');
    expect(files.get('removed.tf')).not.toContain('more');
    const printing = `terraform() { printf '%s\\n' "$*"; }\n${files.get('forget.sh')}`;
    const printed = execFileSync('/bin/sh', ['-c', printing], { encoding: 'utf8', env: {} });
    const wanted = instances.slice(1).map(({ address }) => `state rm ${address}`);
    expect(printed.trimEnd().split('\n').toSorted()).toEqual(wanted.toSorted());
  });
});
