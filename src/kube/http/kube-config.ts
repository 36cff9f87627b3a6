// A module of its own: imported lazily as a whole, the package would enter the bundle with all of its 16 MB.
export { KubeConfig } from '@kubernetes/client-node';
