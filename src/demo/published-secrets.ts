/** The secrets of the mock and of every sandbox. They are published and protect nothing. */

export const publishedSecrets = {
  clientSecret: 'tarishi-sandbox-client-secret',
  signingSecret: 'whsec_dGFyaXNoaS1zYW5kYm94LXNpZ25pbmctc2VjcmV0',
};
