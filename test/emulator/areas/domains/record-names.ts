import type { Draft } from './record-rows.ts';

/** The service trims the domain off a name given in full. */
function trimmed(name: string, domain: string): string {
  const bare = name.replace(/\.$/, '');
  if (bare.toLowerCase() === domain.toLowerCase()) return '';
  return bare.toLowerCase().endsWith(`.${domain.toLowerCase()}`) ? bare.slice(0, -domain.length - 1) : bare;
}

const underscored = (text: string): string => (text.startsWith('_') ? text : `_${text}`);

/** A bare host becomes one of the domain; anything with a dot is used as given. */
function completed(target: string, domain: string): string {
  return target === '' || target.includes('.') ? target : `${target}.${domain}`;
}

/** The IPv4 address of every caller, for the literal `[remote_addr]`. */
const remoteAddress = '203.0.113.77';

function ofService(draft: Draft): Partial<Draft> {
  const service = draft.service === null ? null : underscored(draft.service);
  const protocol = draft.protocol === null ? null : underscored(draft.protocol);
  return { service, protocol, name: [service, protocol].filter((part) => part !== null).join('.') };
}

/** As the service stores it. */
export function normalised(draft: Draft, domain: string): Draft {
  const name = trimmed(draft.name, domain);
  switch (draft.type) {
    case 'SRV':
      return { ...draft, ...ofService(draft), target: completed(draft.target, domain) };
    case 'CNAME':
    case 'MX':
    case 'NS':
      return { ...draft, name, target: completed(draft.target, domain) };
    case 'A':
      return { ...draft, name, target: draft.target === '[remote_addr]' ? remoteAddress : draft.target };
    default:
      return { ...draft, name };
  }
}
