/** Maps the error codes of the Cloud API to their effect on a message, recipient, template or sender. */

export type Remedy =
  /** Nothing can be sent until an operator has fixed it. */
  | 'pauseSender'
  | 'slowDown'
  | 'slowRecipient'
  | 'retry'
  | 'refuse'
  | 'refuseAndPauseTemplate'
  | 'refuseAndDisableTemplate';

const codes: { readonly [R in Remedy]: readonly number[] } = {
  pauseSender: [0, 3, 10, 190, 368, 131031, 131042, 131045, 133010],
  slowDown: [4, 80007, 130429],
  slowRecipient: [131056],
  retry: [1, 2, 131000, 131016],
  refuse: [
    100, 131008, 131009, 131021, 131026, 131030, 131047, 131049, 131050, 131051, 131052, 131053, 132000,
    132001, 132005, 132007, 132012, 132068, 132069,
  ],
  refuseAndPauseTemplate: [132015],
  refuseAndDisableTemplate: [132016],
};

const remedies: ReadonlyMap<number, Remedy> = new Map(
  (Object.keys(codes) as Remedy[]).flatMap((remedy) => codes[remedy].map((code) => [code, remedy] as const)),
);

/** The code decides, 200 to 299 being permissions; the HTTP status only where the code is missing or unknown. */
export function remedyOf(code: number | undefined, status: number): Remedy {
  const known = code === undefined ? undefined : remedies.get(code);
  if (known !== undefined) return known;
  if (code !== undefined && code >= 200 && code <= 299) return 'pauseSender';
  if (status === 401 || status === 403) return 'pauseSender';
  if (status === 429) return 'slowDown';
  return status >= 500 ? 'retry' : 'refuse';
}

/** The recipient stopped marketing messages of the business. */
const stoppedMarketing = '131050';

/** How a message ends that the network refused. */
export function stateOfRefusal(code: string | undefined): 'SubscriberOptedOut' | 'Failed' {
  return code === stoppedMarketing ? 'SubscriberOptedOut' : 'Failed';
}
