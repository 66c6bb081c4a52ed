/** Names and numbers of SMPP 3.4: commands (section 5.1.2.1), statuses (5.1.3) and optional parameters (5.3.2). */

export const commandIds = {
  generic_nack: 0x80000000,
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
} as const;

export type Command = keyof typeof commandIds;

export const commandNames: ReadonlyMap<number, Command> = new Map(
  (Object.keys(commandIds) as Command[]).map((command) => [commandIds[command], command]),
);

/** The statuses that this code sends or treats in a way of their own. */
export const statuses = {
  ok: 0x00,
  invalidCommandLength: 0x02,
  invalidCommandId: 0x03,
  invalidBindState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidSource: 0x0a,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  queueFull: 0x14,
  invalidNumberOfDestinations: 0x33,
  invalidListName: 0x34,
  submitFailed: 0x45,
  throttled: 0x58,
  receiverTemporaryError: 0x64,
  receiverPermanentError: 0x65,
  receiverRejected: 0x66,
  invalidOptionalParameterValue: 0xc4,
  deliveryFailure: 0xfe,
  unknownError: 0xff,
} as const;

export const tags = {
  userMessageReference: 0x0204,
  sarMessageReference: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentNumber: 0x020f,
  interfaceVersion: 0x0210,
  receiptedMessageId: 0x001e,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

/** The esm_class of section 5.2.12, as far as it is used. */
export const esm = { typeMask: 0x3c, receipt: 0x04, intermediate: 0x20, userDataHeader: 0x40 } as const;

/** Data codings of section 5.2.19. Of texts that are shown at once: in GSM-7 as it says there; in UCS-2 as 3GPP TS 23.038 section 4 says, for want of one. */
export const dataCodings = { default: 0x00, latin1: 0x03, ucs2: 0x08, flash: 0xf0, flashUcs2: 0x18 } as const;

/** Version 3.4, as interface_version says it. */
export const version34 = 0x34;
