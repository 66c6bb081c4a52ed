/** The form of the webhook tester; docs/assets/webhook-tester.js makes it work, in the browser only. */
import { escapeHtml } from '../render/html.ts';

export function webhookTesterForm(signingSecret = ''): string {
  return `<form class="tester" id="tester" novalidate>
<label for="tester-headers">Headers</label>
<textarea id="tester-headers" rows="4" spellcheck="false" autocomplete="off" placeholder="webhook-id: …
webhook-timestamp: …
webhook-signature: v1,…"></textarea>
<label for="tester-body">Body, exactly as it was received</label>
<textarea id="tester-body" rows="7" spellcheck="false" autocomplete="off"></textarea>
<label for="tester-secret">Signing secret</label>
<input id="tester-secret" type="text" spellcheck="false" autocomplete="off" placeholder="whsec_…" value="${escapeHtml(signingSecret)}">
<p class="buttons"><button type="submit">Verify</button> <button type="button" class="plain" id="tester-sample">Fill in a signed sample</button></p>
<div id="tester-result" role="status"></div>
</form>
<noscript><p>The tester needs JavaScript.</p></noscript>
`;
}
