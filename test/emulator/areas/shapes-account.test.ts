import { expect, test } from 'vitest';
import { emptyInstance, password, testAccount } from './test-account.ts';

/** Records of catalogues and of the account's own things, nested fields with a dot. */
const shapes: Readonly<Record<string, string>> = {
  account:
    'active_promotions active_since address_1 address_2 balance balance_uninvoiced billing_source capabilities city company country credit_card.expiry credit_card.last_four email euuid first_name last_name phone state tax_id zip',
  settings: 'backups_enabled longview_subscription managed network_helper object_storage',
  type: 'addons.backups.price.hourly addons.backups.price.monthly class disk gpus id label memory network_out price.hourly price.monthly successor transfer vcpus',
  kernel: 'architecture built deprecated id kvm label pvops version',
  region: 'capabilities country id label resolvers.ipv4 resolvers.ipv6 status',
  invoice: 'date id label subtotal tax tax_summary.name tax_summary.tax total',
  item: 'amount from label quantity tax to total type unit_price',
  payment: 'date id usd',
  method: 'created data.card_type data.expiry data.last_four id is_default type',
  login: 'datetime id ip restricted status username',
  promotion: 'credit_monthly_cap credit_remaining description expire_dt image_url service_type summary this_month_credit_remaining',
  client: 'id label public redirect_uri secret status thumbnail_url',
  transfer: 'created entities.vms expiry is_sender status token updated',
  longview: 'api_key apps.apache apps.mysql apps.nginx created id install_code label updated',
  subscription: 'clients_included id label price.hourly price.monthly',
  ticket: 'attachments closable closed description entity gravatar_id id opened opened_by status summary updated updated_by',
  reply: 'created created_by description from_vm gravatar_id id',
  contact: 'email group id name phone.primary phone.secondary updated',
  credential: 'id label last_decrypted',
  vmSettings: 'group id label ssh.access ssh.ip ssh.port ssh.user',
  service: 'address body consultation_group created credentials id label notes region service_type status timeout updated',
  databaseType:
    'class disk engines.mongodb.price.hourly engines.mongodb.price.monthly engines.mongodb.quantity engines.mysql.price.hourly engines.mysql.price.monthly engines.mysql.quantity engines.postgresql.price.hourly engines.postgresql.price.monthly engines.postgresql.quantity id label memory vcpus',
  database:
    'allow_list cluster_size created encrypted engine hosts.primary hosts.secondary id instance_uri label port region status type updated updates.day_of_week updates.duration updates.frequency updates.hour_of_day updates.week_of_month version',
  credentials: 'password username',
  version: 'id',
  tag: 'label',
};

function fieldsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return fieldsOf(value[0]);
  if (typeof value !== 'object' || value === null) return [''];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner).map((rest) => (rest === '' ? key : `${key}.${rest}`)));
}

test('records of catalogues, billing, support, managed monitoring and the rest have the established fields and no other', async () => {
  const api = testAccount();
  const first = async (path: string): Promise<unknown> => (await api.get(path)).data[0];
  const vm = await emptyInstance(api);
  api.emulator.control.edit({
    collection: 'account',
    key: 'E1AF5EEC-526F-487D-B317EBEB34C87D71',
    row: { active_since: '2025-12-30T00:00:00' },
  });
  const { id: ticket } = await api.made('/support/tickets', { summary: 'a', description: 'b' });
  const mysql = { label: 'dbs', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
  const { id: database } = await api.made('/databases/mysql/instances', mysql);
  await api.made('/tags', { label: 'prod' });
  api.seconds(7200);
  const invoice = (await first('/account/invoices')) as { readonly id: number };
  const seen: Record<string, unknown> = {
    account: await api.seen('/account'),
    settings: await api.seen('/account/settings'),
    type: await first('/vm/types'),
    kernel: await first('/vm/kernels'),
    region: await first('/regions'),
    invoice,
    item: await first(`/account/invoices/${invoice.id}/items`),
    payment: await first('/account/payments'),
    method: await first('/account/payment-methods'),
    login: await first('/account/logins'),
    promotion: await api.made('/account/promo-codes', { promo_code: 'WELCOME50' }),
    client: await api.made('/account/oauth-clients', { label: 'a', redirect_uri: 'https://a.example' }),
    transfer: await api.made('/account/service-transfers', { entities: { vms: [vm] } }),
    longview: await api.made('/longview/clients', { label: 'abc' }),
    subscription: await first('/longview/subscriptions'),
    ticket: await api.seen(`/support/tickets/${String(ticket)}`),
    reply: await api.made(`/support/tickets/${String(ticket)}/replies`, { description: 'c' }),
    contact: await api.made('/managed/contacts', { name: 'Jo', email: 'jo@a.example' }),
    credential: await api.made('/managed/credentials', { label: 'cred', password }),
    vmSettings: await first('/managed/vm-settings'),
    service: await api.made('/managed/services', { label: 'svc', service_type: 'url', address: 'https://a.example', timeout: 30 }),
    databaseType: await first('/databases/types'),
    database: await first('/databases/instances'),
    credentials: await api.seen(`/databases/mysql/instances/${String(database)}/credentials`),
    version: await first('/lke/versions'),
    tag: await first('/tags'),
  };
  const fields = Object.entries(seen).map(([name, row]) => [name, [...new Set(fieldsOf(row))].toSorted(byName).join(' ')]);
  expect(Object.fromEntries(fields)).toEqual(shapes);
});

const byName = (left: string, right: string): number => (left < right ? -1 : 1);
