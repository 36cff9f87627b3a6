import { type AccountScene, minute } from '../plugin/account-scene.ts';

/** What somebody made over the years, by hand. */
export async function years(scene: AccountScene): Promise<void> {
  const web = await scene.as('POST', '/vm/instances', {
    region: 'us-east',
    type: 'g6-nanode-1',
    label: 'web-1',
    image: 'vm/debian11',
    root_pass: 'Canary-Horse-9-Battery',
  });
  await scene.world.clock.advance(10 * minute);
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20, tags: ['shop', 'co-zzzzzzzz'].slice(0, 1) });
  await scene.as('POST', '/networking/firewalls', {
    label: 'edge',
    rules: {
      inbound_policy: 'DROP',
      outbound_policy: 'ACCEPT',
      inbound: [{ label: 'ssh', protocol: 'TCP', ports: '22', action: 'ACCEPT', addresses: { ipv4: ['0.0.0.0/0'] } }],
    },
    devices: { vms: [web['id']] },
  });
  const zone = await scene.as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org', ttl_sec: 300 });
  for (const record of [
    { type: 'A', name: 'www', target: '192.0.2.1' },
    { type: 'A', name: '', target: '192.0.2.1' },
    { type: 'A', name: 'www', target: '192.0.2.2' },
    { type: 'MX', name: '', target: 'mail.example.org', priority: 10 },
    { type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip.example.org', priority: 1, weight: 2, port: 5060 },
    { type: 'TXT', name: '', target: 'v=spf1 -all' },
    { type: 'CAA', name: '', target: 'letsencrypt.org', tag: 'issue' },
  ])
    await scene.as('POST', `/domains/${String(zone['id'])}/records`, record);
  await scene.as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
  await scene.as('POST', '/networking/ips', { vm_id: web['id'], type: 'ipv4', public: true });
  await scene.as('POST', '/networking/ipv6/ranges', { vm_id: web['id'], prefix_length: 64 });
  await scene.as('POST', '/longview/clients', { label: 'agent' });
  await scene.as('POST', '/profile/sshkeys', {
    label: 'ops',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
  });
  await scene.as('POST', '/vm/stackscripts', { label: 'setup', images: ['vm/debian11'], script: '#!/bin/sh\necho hello\n' });
  await scene.world.clock.advance(10 * minute);
}
