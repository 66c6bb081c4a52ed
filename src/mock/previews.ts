/** Previews as the service shows them, for a team whose units suffice and whose campaigns have disbursed nothing yet. */
import { previewChatAppTemplate } from '../../handlers/previewChatAppTemplate.ts';
import { previewMobileData } from '../../handlers/previewMobileData.ts';
import { previewSms } from '../../handlers/previewSms.ts';
import * as chatApp from '../chatapp/plan.ts';
import { systemClock } from '../clock.ts';
import { createSplitting } from '../connectors/runtime/splitting.ts';
import * as data from '../data/plan.ts';
import type { Checks } from '../intake/accept.ts';
import { chatAppView } from '../preview/chatapp.ts';
import { dataView } from '../preview/data.ts';
import { createPreview, type PreviewDependencies } from '../preview/preview.ts';
import { smsView } from '../preview/sms.ts';
import * as sms from '../sms/plan.ts';
import { chatAppFacts, checkedCommand, dataFacts, smsFacts } from './facts.ts';

const unitsOfEachAccount = 10_000;

export function createPreviewHandlers(checks: Checks) {
  const dependencies: PreviewDependencies = {
    limiter: { take: async () => async () => {} },
    checks,
    clock: systemClock,
    loadBalances: async () => ({ get: () => unitsOfEachAccount }),
  };
  const splitting = async () => createSplitting([]);
  const ofChatApp = createPreview(dependencies, chatApp, async (c) => chatAppFacts(c), chatAppView());
  return {
    previewSms: previewSms(createPreview(dependencies, sms, async (c) => smsFacts(c), smsView(splitting))),
    previewMobileData: previewMobileData(
      createPreview(
        dependencies,
        data,
        async (c) => dataFacts(c),
        dataView(splitting, async () => new Map()),
      ),
    ),
    previewChatAppTemplate: previewChatAppTemplate((command) => ofChatApp(checkedCommand(command))),
  };
}
