/** Writes a call in Python, with its standard library. */
import type { Call, FormValue } from './call.ts';
import { literal, pythonSyntax } from './literal.ts';

const quoted = (text: string) => literal(text, pythonSyntax);
const formValue = (value: FormValue) =>
  typeof value === 'string' ? quoted(value) : `os.environ[${quoted(value.variable)}]`;

export function inPython({ method, url, headers, withToken, json, form, prints }: Call): string {
  const heads = [
    ...(withToken ? [`"Authorization": f"Bearer {os.environ['TOKEN']}"`] : []),
    ...(json === undefined ? [] : ['"Content-Type": "application/json"']),
    ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const data =
    json === undefined
      ? form && `urllib.parse.urlencode({\n${fieldsOf(form)}    }).encode()`
      : `json.dumps(${literal(json, pythonSyntax, 1)}).encode()`;
  const parts = [
    quoted(url),
    ...(heads.length === 0 ? [] : [`headers={\n${heads.map((one) => `        ${one},\n`).join('')}    }`]),
    ...(data === undefined ? [] : [`data=${data}`]),
    // With data, POST is what urllib sends by itself.
    ...(data === undefined && method !== 'GET' ? [`method=${quoted(method)}`] : []),
  ];
  const modules = ['json', 'os', 'urllib.error', ...(form ? ['urllib.parse'] : []), 'urllib.request'];
  return `import ${modules.join(', ')}

request = urllib.request.Request(
${parts.map((one) => `    ${one},\n`).join('')})
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
result = json.load(response)
print(${prints === undefined ? 'json.dumps(result, indent=2, ensure_ascii=False)' : `result[${quoted(prints)}]`})`;
}

function fieldsOf(form: NonNullable<Call['form']>): string {
  return form.map(([name, value]) => `        ${quoted(name)}: ${formValue(value)},\n`).join('');
}
