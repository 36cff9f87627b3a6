/** What a request path names, before anybody knows whether it is served. */
export interface Route {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string;
}

/** Path segments of an API request: `/api/v1/...` or `/apis/GROUP/VERSION/...`; undefined for anything else. */
export function parseRoute(pathname: string): Route | undefined {
  const segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  if (segments[0] === 'api' && segments.length >= 3) return resourceRoute('', segments[1] ?? '', segments.slice(2));
  if (segments[0] === 'apis' && segments.length >= 4) return resourceRoute(segments[1] ?? '', segments[2] ?? '', segments.slice(3));
  return undefined;
}

function resourceRoute(group: string, version: string, rest: readonly string[]): Route {
  const isNamespaceItself = rest.length <= 2 || rest[2] === 'status' || rest[2] === 'finalize';
  const inNamespace = rest[0] === 'namespaces' && !isNamespaceItself;
  const [plural = '', name = '', subresource = ''] = inNamespace ? rest.slice(2) : rest;
  return { group, version, namespace: inNamespace ? rest[1] : undefined, plural, name, subresource };
}

/** The verb that authorization and audit know a request by. */
export function verbOf(method: string, route: Route, watch: boolean): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (watch) return 'watch';
      return route.name ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return route.name ? 'delete' : 'deletecollection';
    default:
      return method.toLowerCase();
  }
}
