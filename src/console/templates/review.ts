/** The review of a template: what changed since the last approval, what the message looks like, and the decision. */

import { asTyped, type Content, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { textLimitCodePoints } from '../../platform/text/units.ts';
import { asRefused } from '../errors.ts';
import { type Fault, faultSummary, faultsOf, fieldsOf, hiddenFields } from '../forms/form.ts';
import { at, notice, panel, top } from '../layout/parts.ts';
import { show } from '../layout/values.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from '../page.ts';
import { whoChanged } from '../resources/change.ts';
import { type Item, pathOf, type Resource } from '../resources/definition.ts';
import { itemOf } from '../resources/detail.ts';
import { showDifference } from './difference.ts';

const operation = 'reviewSmsTemplate';

interface Shown {
  comment?: string;
  faults?: readonly Fault[];
  /** Above the difference. */
  said?: Content;
}

async function reviewPage(resource: Resource, page: PageContext, shown: Shown = {}): Promise<Page> {
  const { definition } = resource;
  const { item, etag } = await itemOf(resource, page);
  const { comment = '', faults = [], said } = shown;
  const id = page.params.id ?? '';
  const here = pathOf(resource, id);
  const content = String(item.content);
  const drawing = await definition.draw?.(page, item, { unsaved: {}, filled: page.form });
  const waits = item.approvalStatus === 'PENDING';
  page.api.offer(page.api.operation(operation), {
    path: { [resource.parameter]: id },
    ifMatch: etag,
    body: { decision: 'APPROVED' },
  });
  const frame = (form: Content) =>
    html`${top({
      heading: `Review: ${id}`,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
      state: html`${show('approvalStatus', {}, item.approvalStatus, page)}`,
    })}${said}<div class="split"><div class="stack">${panel('Difference', differenceTo(item, page))}${form}</div><aside class="stack" aria-label="Preview">${drawing?.drawn}</aside></div>`;
  const title = `Review: ${definition.one} ${id}`;
  if (!waits) return { title, body: frame(html`<p class="lead">It does not wait for a review.</p>`) };
  return {
    title,
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: frame(html`<form class="form" method="post" action="${at(`${here}/review`)}">${hiddenFields({ etag, seen: content })}
${faults.length > 0 && faultSummary(faults)}
<div class="field"><label for="field-comment">Comment <span class="optional">required to reject</span></label><p class="hint" id="field-comment-hint">For the owner of the template.</p><textarea id="field-comment" name="comment" rows="3" maxlength="1000" dir="auto" aria-describedby="field-comment-hint"${faults.some(({ name }) => name === 'comment') && html` aria-invalid="true"`}>
${asTyped(comment)}</textarea></div>
<div class="actions"><button class="button main" type="submit" name="decision" value="APPROVED">Approve</button><button class="button" type="submit" name="decision" value="REJECTED">Reject</button><a class="button" href="${at(here)}">Cancel</a></div></form>`),
  };
}

function differenceTo({ approvedContent, approvedAt, content }: Item, { times }: PageContext): Content {
  if (typeof approvedContent !== 'string')
    return html`<p class="hint">It was never approved.</p><p class="text" dir="auto">${String(content)}</p>`;
  return html`${showDifference(['Approved', approvedContent], ['Waits', String(content)])}${
    typeof approvedAt === 'string' && html`<p class="hint">Approved ${times.show(approvedAt)}.</p>`
  }`;
}

async function review(resource: Resource, page: PageContext): Promise<Outcome> {
  const { api, form, params } = page;
  const id = params.id ?? '';
  const comment = form.get('comment') ?? '';
  const decision = form.get('decision');
  if (decision === 'REJECTED' && comment.trim() === '')
    return await reviewPage(resource, page, {
      faults: [{ name: 'comment', sentence: 'Comment: say what the owner should change.' }],
    });
  const written = api.operation(operation);
  try {
    await api.send(written, {
      path: { [resource.parameter]: id },
      ifMatch: form.get('etag') ?? undefined,
      body: { decision, ...(comment === '' ? {} : { comment }) },
    });
    return { redirect: `${pathOf(resource, id)}?done=${operation}` };
  } catch (error) {
    const refused = asRefused(error);
    if (refused.status !== 412)
      return await reviewPage(resource, page, {
        comment,
        faults: faultsOf(refused, fieldsOf(written, page)),
      });
    const { item } = await itemOf(resource, page);
    const changed = await reviewPage(resource, page, {
      comment,
      said: html`${notice('bad', html`<p>${await whoChanged(resource, id, page)} Nothing was decided. Your comment is kept.</p>`)}
${panel('What you read, and what is stored now', showDifference(['You read', (form.get('seen') ?? '').slice(0, 2 * textLimitCodePoints)], ['Now stored', String(own(item, 'content'))]))}`,
    });
    return { ...changed, status: 412 };
  }
}

export function reviewRoutes(resource: Resource): ConsoleRoute[] {
  const path = `${resource.definition.path}/:id/review`;
  const operations = [operation] as const;
  return [
    { method: 'GET', path, operations, handle: (page) => reviewPage(resource, page) },
    { method: 'POST', path, operations, handle: (page) => review(resource, page) },
  ];
}
