/** Calls a management API with an access key. */

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  body: any;
}

/** `PATCH /teams/acme` with a body; `etag` goes into If-Match. */
export type CallManagement = (
  operation: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export function callerAt(url: string, key: string | undefined): CallManagement {
  return async (operation, body, headers = {}) => {
    const [method = '', path = ''] = operation.split(' ');
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
  };
}

/** Throws unless the call succeeds. */
export function succeeding(call: CallManagement): CallManagement {
  return async (operation, body, headers) => {
    const answer = await call(operation, body, headers);
    if (answer.status >= 300) throw new Error(`${operation}: ${answer.status} ${answer.text}`);
    return answer;
  };
}

/** Changes a resource such as `/sms-services/orders` as it is now; `action`, such as `review`, is posted instead. */
export async function edit(
  operate: CallManagement,
  resource: string,
  body: object,
  action?: string,
): Promise<void> {
  const { headers } = await operate(`GET ${resource}`);
  const operation = action === undefined ? `PATCH ${resource}` : `POST ${resource}/${action}`;
  await operate(operation, body, { 'if-match': headers.get('etag') ?? '' });
}
