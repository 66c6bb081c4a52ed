/** Writes a call in Java 17 or newer, with the JDK. */
import type { Call, FormValue } from './call.ts';
import { jsonSyntax, literal } from './literal.ts';

const quoted = (text: string) => JSON.stringify(text);
const formValue = (value: FormValue) =>
  typeof value === 'string' ? quoted(value) : `System.getenv(${quoted(value.variable)})`;

export function inJava(call: Call): string {
  const { method, url, headers, withToken, json, form, prints } = call;
  const publisher = json === undefined && form === undefined ? 'noBody()' : 'ofString(body)';
  const heads = [
    ...(withToken ? ['"Authorization", "Bearer " + System.getenv("TOKEN")'] : []),
    ...(json === undefined ? [] : ['"Content-Type", "application/json"']),
    ...(form === undefined ? [] : ['"Content-Type", "application/x-www-form-urlencoded"']),
    ...headers.map(([name, value]) => `${quoted(name)}, ${quoted(value)}`),
  ];
  const steps = [
    ...heads.map((one) => `.header(${one})`),
    ...(method === 'GET' ? [] : [`.${method}(BodyPublishers.${publisher})`]),
    '.build();',
  ];
  return `${importsOf(call)
    .map((one) => `import ${one};\n`)
    .join('')}
public class Sample {
    public static void main(String[] arguments) throws Exception {
${bodyOf(call)}        var request = HttpRequest.newBuilder(URI.create(${quoted(url)}))
${steps.map((one) => `            ${one}\n`).join('')}        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(${prints === undefined ? 'response.body()' : textOf(prints)});
    }
}`;
}

/** The JDK reads no JSON, and one property needs no library. */
const textOf = (property: string) =>
  `response.body().replaceFirst("(?s).*\\"${property}\\":\\"([^\\"]*)\\".*", "$1")`;

function importsOf({ method, form }: Call): string[] {
  return [
    'java.net.URI',
    ...(form === undefined ? [] : ['java.net.URLEncoder']),
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    ...(method !== 'GET' ? ['java.net.http.HttpRequest.BodyPublishers'] : []),
    'java.net.http.HttpResponse.BodyHandlers',
    ...(form === undefined ? [] : ['java.nio.charset.StandardCharsets']),
  ];
}

function bodyOf({ json, form }: Call): string {
  if (json !== undefined) return `        var body = """\n${textBlock(literal(json, jsonSyntax))}""";\n`;
  if (form === undefined) return '';
  const fields = form.map(([name, value]) => {
    const needsEncoding = typeof value !== 'string' || encodeURIComponent(value) !== value;
    const written = formValue(value);
    return needsEncoding
      ? `"${name}=" + URLEncoder.encode(${written}, StandardCharsets.UTF_8)`
      : quoted(`${name}=${value}`);
  });
  return `        var body = String.join("&",\n${fields.map((one) => `            ${one}`).join(',\n')});\n`;
}

function textBlock(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .split('\n')
    .map((line) => `            ${line}`)
    .join('\n');
}
