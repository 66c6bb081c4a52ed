/**
 * India (TRAI, DLT): who sends and which text, as they are registered, and the codes with which the registry refuses. The
 * third parameter is the chain of telemarketers, or its SHA-256 for the last of them: as the operator wants it.
 */
import type { NetworkState } from '../../../model/states.ts';
import type { Preset } from '../../contract/kind.ts';
import type { SmppSettings } from '../settings.ts';

export const india: Preset = {
  title: 'an operator in India',
  open: ['host', 'systemId'],
  settings: {
    parameters: {
      '0x1400': { format: 'text', value: '{registration.entityId}' },
      '0x1401': { format: 'text', value: '{registration.templateId}' },
      '0x1402': { format: 'text', value: '{registration.telemarketers}' },
    } satisfies SmppSettings['parameters'],
    errorStates: {
      // Entity, telemarketers, header, template: unknown, inactive, or they do not belong together.
      ...all('Failed', [600, 601, 602, 604, 605, 610, 611, 613, 614, 615, 616, 618, 620, 621, 623]),
      ...all('Failed', [630, 631, 633, 634, 635, 636, 637, 670]),
      // One of them is on a list of those who may not send.
      ...all('SenderBlacklisted', [603, 612, 617, 622, 632]),
      // The recipient's preferences, or no consent.
      ...all('SubscriberOptedOut', [650, 660]),
    },
  },
};

function all(state: NetworkState, codes: readonly number[]): Record<string, NetworkState> {
  return Object.fromEntries(codes.map((code) => [String(code), state]));
}
