/** Every fixed segment of the API's paths; whatever else stands in a path is an id. */
const fixed = new Set(
  `access account api-endpoints accept acl agreements assign attach attachments backups boot buckets cancel clients clone close clusters configs
  contacts credentials credit-card dashboard databases detach devices disable disks domains enable engines entity-transfers events firewalls
  grants images import instances invoices ips ipv4 ipv6 issues items kernels keys kubeconfig lke logins longview maintenance make-default managed migrate
  mongodb mutate mysql networking nodebalancers nodes notifications oauth-clients object-acl object-list object-storage object-url object
  password patch payment-methods payments paypal execute plan pools postgresql profile promo-codes ranges rebuild reboot records recycle
  regenerate regions replies rescue reset reset-secret resize restore revoke rules seen read service-transfers services servicetoken settings share
  shutdown sshkey sshkeys ssl stackscripts stats subscriptions support tags thumbnail tickets tokens transfer types update upload users
  v4beta versions vlans vm vm-settings volumes zone-file`.split(/\s+/),
);

/** The path as metrics name it: ids become `{id}`, the query goes. */
export function pathTemplate(path: string): string {
  const [where = ''] = path.split('?');
  return where
    .split('/')
    .map((segment) => (segment === '' || fixed.has(segment) ? segment : '{id}'))
    .join('/');
}
