/** Spec of a machine that is deployed with an image and has room left beside its disks; Secret `web-root` is there. */
export const deployed = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
  autoResizeDisk: false,
};
