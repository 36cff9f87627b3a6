import { beforeEach, expect, it } from 'vitest';
import { commands } from '../../../../src/plugin/commands.ts';
import { kindCalled } from '../../../../src/plugin/command-line/kinds.ts';
import { noVerbs } from '../../../../src/kinds/for-plugin/no-verbs.ts';
import { ConnectionLost } from '../../../support/virtual/backend.ts';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const volume = { region: 'eu-central', sizeGiB: 20 };
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.namespace('empty');
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});
const of = async (line: string) => {
  const { exit, out, err } = await cloud(world, line);
  return `${exit} ${out}${err}`;
};

it.each([
  // Something else than an account has none of its figures.
  ['status cvol/data', /^2 .*cvol\/data is no CloudAccount/],
  ['status -n empty', /^0 No CloudAccount in namespace empty, and no object that names one\. -A looks in all namespaces/],
  ['tree -n empty', /^0 There is nothing of cloudhosting\.dev in namespace empty\. -A looks in all namespaces/],
  ['approve --list -n empty', /^0 Nothing waits for approval in namespace empty\. -A looks in all namespaces/],
  ['approve --list -A', /^0 Nothing waits for approval\.\n/],
  ['pause --list -n empty', /^0 Nothing is paused in namespace empty\. -A looks in all namespaces/],
  ['diff -n empty', /^0 Nothing differs \(0 objects compared\)\./],
  // A namespace that was mistyped must not pass for one that is well.
  ...['status', 'tree', 'approve --list', 'pause --list', 'why', 'diff', 'plan', 'bundle', 'doctor'].map(
    (verb): readonly [string, RegExp] => [
      `${verb} -n nowhere`,
      /^4 .*namespace nowhere does not exist in this cluster\. -A looks in all namespaces/,
    ],
  ),
  ['wait cvol -n nowhere', /^4 .*there is no such object in namespace nowhere, which does not exist\. -A looks/],
  ['wait cvol -n nowhere --for=Deleted', /^0 There is no such object in namespace nowhere, which does not exist/],
  ['doctor -n empty', /the checks of accounts and objects had nothing to look at: there is none in namespace empty\. -A looks/],
  // One field, as kubectl explain names it.
  ['schema cvol.sizeGiB', /^0 CloudVolume \(cvol\): [^\n]*\n\nspec:\n {2}sizeGiB {2}integer[^\n]*\n {6}Capacity[^\n]*(\n {6}[^\n]*)*\n$/],
  ['schema cloudvolumes.spec.sizeGiB', /^0 CloudVolume [^\n]*\n\nspec:\n {2}sizeGiB/],
  ['schema cinst.alerts', /\n {2}alerts {2}object.*\n {2}alerts\.cpuPercent /s],
  ['schema cvol.status.state', /^0 CloudVolume [^\n]*\n\nstatus[^\n]*:\n {2}state /],
  ['schema cvol.lifecycle.onDelete', /\n\nspec, as of other kinds:\n {2}lifecycle\.onDelete /],
  ['schema cvol.sizGiB', /^2 .*CloudVolume has no field sizGiB\. Did you mean sizeGiB\?/],
  ['schema cvol.nonsense', /^2 .*CloudVolume has no field nonsense\. kubectl cloud schema cvol lists them/],
  ['schema colour.size', /^2 .*colour is no kind/],
  ['bundle --to folder/', /^2 .*folder\/ is a folder: name a file, for example folder\/cloud-bundle\.tar\.gz/],
  ['bundle --to out.zip', /^2 .*out\.zip: the archive is a gzipped tar: give it a name that ends in \.tar\.gz or \.tgz/],
  // Flags that the verb has choose objects too.
  ['why -l a=b', /^0 No such objects in namespace team-a/],
  ['why -A', /^0 2 objects are Ready and as wanted: CloudAccount team-a\/default, /],
  // Of what is no kind, the object of that name tells more than the letters.
  ['why cdr/data', /^2 .*cdr is no kind of cloudhosting\.dev\. Did you mean cvol\/data\?/],
  ['why cdr/none', /^2 .*cdr is no kind of cloudhosting\.dev\. Did you mean (?!.*\/)/],
  ['why cvol/data cdr/data', /^2 .*cdr is no kind of cloudhosting\.dev\. Did you mean cvol\/data\?/],
  ['why cvol/dat', /^4 .*CloudVolume team-a\/dat is not found; did you mean cvol\/data\?/],
  ['why cvol/data -n nowhere', /^4 .*CloudVolume nowhere\/data is not found\n/],
  ['wait cvol -l a==b==c', /^2 .*--selector a==b==c cannot be read: /],
  // A typo in a label must not pass for a success.
  ['wait cvol -l a=b', /^4 .*there is no such object in namespace team-a/],
  ['wait cvol -l a=b --for=Deleted', /^0 There is no such object in namespace team-a\. -A looks in all namespaces\.\n/],
  ['wait cvol,cacc', /^0 2 objects are Ready\./],
  ['wait cvol,colour', /^2 .*colour is no kind/],
  ['wait cvol/data --for=Deleted --timeout 3s', /^6 .*nobody has asked for its deletion: kubectl -n team-a delete cloudvolume data/s],
  // What went cannot be told from what never was, as with kubectl wait; a name that is nearly right is told.
  ['wait cvol/gone -n team-a --for=Deleted', /^0 CloudVolume team-a\/gone is not there \(any more\)\.\n$/],
  [
    'wait cvol gone other -n team-a --for=Deleted',
    /^0 CloudVolume team-a\/gone is not there \(any more\)\.\nCloudVolume team-a\/other is not there \(any more\)\.\n$/,
  ],
  [
    'wait cvol/gone --for=Deleted',
    /^0 CloudVolume team-a\/gone is not there \(any more\); if it is in another namespace, name that with -n\.\n$/,
  ],
  ['wait cvol/dat --for=Deleted', /^0 CloudVolume team-a\/dat is not there \(any more\); did you mean cvol\/data\?\n$/],
  ['wait cvol/gone -n nowhere --for=Deleted', /^0 CloudVolume nowhere\/gone is not there: namespace nowhere does not exist\.\n$/],
  [
    'wait cvol/gone cvol/data -n team-a --for=Deleted --timeout 3s',
    /^6 CloudVolume team-a\/gone is not there \(any more\)\.\nCloudVolume team-a\/data {2}Available\nTime ran out/,
  ],
  ['wait cvol/gone -n team-a', /^4 .*CloudVolume team-a\/gone is not found/],
  ['rotate cssh/alice', /^2 .*Did you mean csshkey\b/],
  // None is better than one that is nothing like it.
  ['schema foo', /^2 .*: foo is no kind of cloudhosting\.dev\. kubectl cloud schema lists them\.\n$/],
  ['schema databases', /^2 .*Did you mean clouddatabases\?\n$/],
  ['foo', /^2 kubectl cloud: unknown command 'foo'\n$/],
  ['wiat cvol/data', /^2 kubectl cloud: unknown command 'wiat'\n\(Did you mean wait\?\)\n$/],
  // What a field does, or kubectl.
  [
    'resize cinst/web',
    /^2 kubectl cloud: unknown command 'resize'\nresize is no verb here: .*spec\.type \(CloudInstance\), .*spec\.sizeGiB \(CloudVolume\); .*kubectl cloud plan -f FILE\n$/,
  ],
  [
    'stop cinst/web',
    /^2 kubectl cloud: unknown command 'stop'\nstop is no verb here: kubectl cloud shutdown cinst\/web does it once; spec\.power: Off keeps it off\n$/,
  ],
  ['delete cvol/data', /^2 .*\ndelete is no verb here: kubectl delete /],
  [
    'get backups',
    /^2 .*: backups is nothing that get knows\. Did you mean mongodb-backups, mysql-backups\? Backups of an instance: status\.backups in /,
  ],
  ['get backup', /^2 .*Did you mean mongodb-backups, mysql-backups\?/],
  ['get records', /^2 .*Did you mean domain-records\?/],
  ['get pools', /^2 .*Did you mean node-pools\?/],
  ['get machines', /^2 .*Did you mean instances\?/],
  ['get vms', /^2 .*Did you mean instances\?/],
  ['get keys', /^2 .*Did you mean object-keys\?/],
  ['get foo', /^2 .*: foo is nothing that get knows: it knows api-endpoints, /],
  ['resume cvol/data', /^0 CloudVolume team-a\/data is not paused\n/],
  ['rotate ssh/alice', /^2 .*Did you mean cloudsshkey, cloudsshkeys, /],
  ['abandon cvol/data', /^3 .*only what is being deleted and cannot be reached is abandoned\.\n/],
  ['recreate cvol/data', /^3 .*is made anew\.\n/],
  // A yes where none is asked for, or where none is enough.
  ['pause cvol/data --yes', /^2 kubectl cloud pause: unknown option '--yes'\n\(pause asks nothing: leave --yes out\)\n$/],
  ...(['release', 'abandon cvol/data', 'rotate cokey/uploads'] as const).map((line): readonly [string, RegExp] => [
    `${line} --yes`,
    /^2 kubectl cloud \w+: unknown option '--yes'\n\(\w+ has you type what is at stake; .* --confirm with exactly that text is needed: no --yes is enough for it\)\n$/,
  ]),
  ['pause cvol/data --yse', /^2 kubectl cloud pause: unknown option '--yse'\n$/],
  ['help pause', /\bIt asks nothing, so that a script needs no flag for that\./],
  // Who has asked for nothing more has been asked nothing.
  ['why cacc/default --kubeconfig', /^2 kubectl cloud: option '--kubeconfig <file>' argument missing/],
  ['approve cvol/data --wait --timeout soon', /^2 .*--timeout=soon is no duration/],
] as const)('%s', async (line, says) => {
  expect(await of(line)).toMatch(says);
});

it('--yes is where a yes is asked for, and nowhere else', () => {
  const taking = commands.filter(({ flags }) => flags.some(({ form }) => form === '--yes'));
  expect(taking.filter(({ confirms }) => !['C1', 'C2'].includes(confirms)).map(({ name }) => name)).toEqual([]);
  const without = commands.filter(({ confirms }) => confirms === 'C1').filter((one) => !taking.includes(one));
  expect(without.map(({ name }) => name)).toEqual([]);
});

it.each(Object.entries(noVerbs))('what is told of %s, which is no verb, is of verbs, kinds and fields that there are', (word, says) => {
  const verbs = commands.map(({ name }) => name);
  const parts = (pattern: RegExp): readonly (readonly string[])[] => [...says.matchAll(pattern)].map(([, ...groups]) => groups);
  expect(verbs).not.toContain(word);
  expect(verbs).toEqual(expect.arrayContaining(parts(/kubectl cloud (\S+)/g).flat()));
  const kinds = parts(/\b([a-z]+)\/(?:web|data)\b/g).flat();
  expect(kinds.filter((kind) => kindCalled(kind) === undefined)).toEqual([]);
  const fields = parts(/spec\.(\w+) \((\w+)\)/g);
  expect(fields.filter(([field = '', kind = '']) => !Object.hasOwn(kindCalled(kind)?.spec.shape ?? {}, field))).toEqual([]);
});

const away = () => ({ handle: () => Promise.reject(new ConnectionLost()) });

it('an API server that is away is named with the line that shows whether it is there', async () => {
  for (const line of ['status', 'why cvol/data', 'approve cvol/data', 'doctor', 'tree -w', 'reconcile cvol/data --wait']) {
    const { exit, err } = await cloud(world, `${line} --context there`, { between: away });
    expect([exit, err]).toEqual([4, expect.stringContaining('\nWhether it is there: kubectl --context=there get --raw /readyz\n')]);
    expect(err).not.toContain('    at ');
  }
});

it.each(['why', 'wait', 'tree', 'approve', 'plan', 'pause', 'reconcile'])(
  '%s of a second word that names no kind says so, and has asked nothing of the first one, whose answer nobody would hear',
  async (verb) => {
    const { exit, err } = await cloud(world, `${verb} cvol/data colour/x`, { between: away });
    expect([exit, err]).toEqual([2, expect.stringContaining('colour is no kind of cloudhosting.dev')]);
  },
);
