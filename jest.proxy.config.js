/** The tests of jest.config.js with a validating proxy before each service: `npm run test:proxy`. */
import tests from './jest.config.js';

process.env.TARISHI_THROUGH = 'proxy';

export default tests;
