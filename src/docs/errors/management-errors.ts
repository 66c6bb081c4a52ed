/** Cause and fix of the errors of the management API. */
import { errors } from '../../platform/errors.ts';
import type { ErrorText } from './error-text.ts';

export const managementErrors = {
  missingRole: {
    title: 'Permission denied: role required',
    rejection: errors.missingRole('…'),
    cause: 'The operation of the management API needs another role than the user of the token has.',
    fix: 'Use the token of a user with this role, or have an owner change the role of your user.',
  },
  platformOnly: {
    title: 'Permission denied: platform users only',
    rejection: errors.platformOnly(),
    cause: 'The operation or the property concerns all teams, and the token belongs to a user of one team.',
    fix: 'Ask the operators of the platform to do this.',
  },
  managementFaults: {
    title: 'Invalid value for a resource',
    rejection: errors.managementFaults('…'),
    cause:
      'A value breaks a rule of the resource. If several do, each has a line of its own; nothing was changed.',
    fix: 'Correct the values that the lines name, and send the request again.',
  },
  managementNotFound: {
    title: 'Managed resource not found',
    rejection: errors.managementNotFound('…'),
    cause: 'The resource, or one that the request names, does not exist or belongs to another team.',
    fix: 'Check the id. List the resources to find the ids that your user may see.',
  },
  managementArchived: {
    title: 'Request left for the archive',
    rejection: errors.managementArchived('…'),
    cause:
      'The request is not in the database, and others of its time have left for the archive. It has left with them, or it never existed.',
    fix: 'Find it there: `npx tarishi archive find --request` with its id.',
  },
  managementConflict: {
    title: 'Change conflicts with what is stored',
    rejection: errors.managementConflict('…'),
    cause:
      'The change does not fit what is stored: an id is taken, for example, or a template waits for no review.',
    fix: 'Read the resource that the line names and decide what to change instead.',
  },
  resourceChanged: {
    title: 'Resource changed since you read it',
    rejection: errors.resourceChanged(),
    cause: 'Somebody changed the resource after you had read it. Nothing was changed now.',
    fix: 'Get the resource, look at what changed, and repeat your change with the new `ETag`.',
  },
  ifMatchMissing: {
    title: 'If-Match header required',
    rejection: errors.ifMatchMissing(),
    cause: 'The request changes a resource without saying which version of it you have seen.',
    fix: 'Get the resource first and send its `ETag` as `If-Match`.',
  },
} satisfies Record<string, ErrorText>;
