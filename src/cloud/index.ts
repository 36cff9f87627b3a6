export { type ConnectorOptions, createConnector, type Endpoint } from './connect/connector.ts';
