/** llms.txt: the pages of the navigation and of operations for programs that read them, as Markdown (llmstxt.org). */
import { groups } from './catalogue.ts';
import { type Source, summaryOf } from './site.ts';

export function llmsText(sources: readonly Source[], publicUrl: string): string {
  const parts = groups.map((group) => {
    const pages = sources.filter(
      ({ group: own, isHidden, tried }) => own === group && (!isHidden || tried !== undefined),
    );
    const items = pages.map(({ path, title, text }) => {
      const summary = summaryOf(text);
      return `- [${title}](${publicUrl}${path}.md)${summary === '' ? '' : `: ${summary}`}\n`;
    });
    return items.length === 0 ? '' : `\n## ${group}\n\n${items.join('')}`;
  });
  return `# Tarishi

> Send SMS, mobile-data bundles and chat-app templates through one HTTP API. Every outcome comes back as a signed
> webhook.

Every page of the documentation is also served as Markdown: add \`.md\` to its address, or send \`Accept: text/markdown\`.
The contract is [openapi.yaml](${publicUrl}/openapi.yaml); that of the receipts is
[asyncapi.yaml](${publicUrl}/asyncapi.yaml).
${parts.join('')}`;
}
