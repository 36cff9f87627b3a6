/** `CloudAccount shop/default` */
export function accountIn(shown: string): { readonly namespace: string; readonly name: string; readonly written: string } {
  const written = shown.slice(shown.indexOf(' ') + 1);
  const [namespace = '', name = ''] = written.split('/');
  return { namespace, name, written };
}
