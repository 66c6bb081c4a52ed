/** Puts the interactive reference on the page, from the document that the service enforces. */
const root = new URL('..', location.href).href;
// `base`: what the operations are below. Credentials are those of a demo on this machine.
const { base, clientId, clientSecret } = document.querySelector('#reference').dataset;
const credentials = clientId === undefined ? {} : { 'x-scalar-client-id': clientId, clientSecret };

globalThis.Scalar.createApiReference('#reference', {
  url: `${root}openapi.json`,
  // "Test request" talks to the origin the page came from, whatever name it was reached by.
  servers: [
    { url: new URL(base || '.', location.href).href.replace(/\/$/, ''), description: 'This service' },
  ],
  authentication: {
    preferredSecurityScheme: 'oauth2',
    securitySchemes: {
      oauth2: { flows: { clientCredentials: { tokenUrl: `${root}oauth/token`, ...credentials } } },
    },
  },
  // Nothing on this page asks anybody else for anything.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  // Light or dark as the other pages are: by the reader's system.
  hideDarkModeToggle: true,
  orderSchemaPropertiesBy: 'preserve',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
