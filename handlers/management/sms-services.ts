/** SMS services. */
import { smsServices } from '../../src/manage/messaging/sms-services.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listSmsServices = lists('listSmsServices', smsServices);
export const createSmsService = creates('createSmsService', smsServices, '/sms-services/');
export const getSmsService = gets('getSmsService', smsServices, 'serviceId');
export const updateSmsService = changes('updateSmsService', smsServices, 'serviceId');
