export { createAgent } from './http/agent.ts';
export { userAgentOf } from './http/client.ts';
export { createDialect } from './http/dialect.ts';
export { readWholeAnySize } from './http/pages.ts';
export { type ConnectorOptions, createConnector, type Endpoint } from './connect/connector.ts';
export { StreamTransfers } from './transfer/transfers.ts';
