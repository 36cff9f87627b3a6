export const group = 'cloudhosting.dev';
export const version = 'v1alpha1';
