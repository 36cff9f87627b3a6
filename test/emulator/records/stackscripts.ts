import { defineCollection } from '../contract/collection.ts';

export interface UserDefinedField {
  readonly name: string;
  readonly label: string;
  readonly [attribute: string]: string;
}

export interface StackScript {
  readonly id: number;
  readonly username: string;
  readonly user_gravatar_id: string;
  readonly label: string;
  readonly description: string;
  readonly images: readonly string[];
  readonly deployments_total: number;
  readonly deployments_active: number;
  readonly is_public: boolean;
  readonly created: string;
  readonly updated: string;
  readonly rev_note: string;
  readonly script: string;
  readonly user_defined_fields: readonly UserDefinedField[];
  readonly logo_url: string;
  readonly ordinal: number;
  /** Not shown: the account that made it; `mine` follows from it. */
  readonly owner: string;
}

/** Public scripts are visible to every account. */
export const stackscripts = defineCollection<StackScript>({ name: 'stackscripts', scope: 'platform' });
