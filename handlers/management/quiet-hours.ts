/** Quiet hours. */
import { quietHours } from '../../src/manage/messaging/quiet-hours.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listQuietHours = lists('listQuietHours', quietHours);
export const createQuietHours = creates('createQuietHours', quietHours, '/quiet-hours/');
export const getQuietHours = gets('getQuietHours', quietHours, 'country');
export const updateQuietHours = changes('updateQuietHours', quietHours, 'country');
