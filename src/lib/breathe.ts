/** Lets timers and sockets have their turn in the middle of long work, so that a lease is renewed while 10,000 objects are read. */
export const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
