import { defineCollection } from '../contract/collection.ts';

export interface OAuthClient {
  /** 20 hex digits. */
  readonly id: string;
  readonly label: string;
  readonly redirect_uri: string;
  readonly public: boolean;
  readonly status: 'active' | 'disabled' | 'suspended';
  readonly secret: string;
  readonly thumbnail_url: string | null;
  /** Not shown: a PNG. */
  readonly thumbnail: Buffer | null;
}

/** As every answer shows it but those of create and reset-secret, which show the secret. */
export const oauthClients = defineCollection<OAuthClient>({
  name: 'oauth clients',
  view: ({ thumbnail: _thumbnail, ...shown }) => ({ ...shown, secret: '<REDACTED>' }),
});
