import type { Area } from '../../contract/area.ts';
import { accountWideOperations } from './account-wide.ts';
import { paymentMethodOperations } from './payment-methods.ts';
import { paymentOperations } from './payments.ts';
import { billingSeed, promoSeed } from './seed.ts';

export const billingArea: Area = {
  name: 'billing',
  operations: [...accountWideOperations, ...paymentOperations, ...paymentMethodOperations],
  seedPlatform: promoSeed,
  seedAccount: billingSeed,
};
