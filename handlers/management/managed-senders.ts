/** Managed senders. */
import { managedSenders } from '../../src/manage/messaging/managed-senders.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listManagedSenders = lists('listManagedSenders', managedSenders);
export const createManagedSender = creates('createManagedSender', managedSenders, '/managed-senders/');
export const getManagedSender = gets('getManagedSender', managedSenders, 'managedSenderKey');
export const updateManagedSender = changes('updateManagedSender', managedSenders, 'managedSenderKey');
