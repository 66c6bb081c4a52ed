<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi\Http;

/**
 * The operations of the API: method, path, and whether a retry is safe. `keyed`: yes, with the same Idempotency-Key;
 * `harmless`: yes, a second call changes nothing; `unsafe`: no, it would take effect again; `file`: yes, and the response
 * is a file.
 */
final class Routes
{
    public const ALL = [
        'sendSms' => ['POST', '/message/{serviceId}', 'keyed'],
        'previewSms' => ['POST', '/message/{serviceId}/preview', 'harmless'],
        'disburseMobileData' => ['POST', '/data/{campaignId}', 'keyed'],
        'previewMobileData' => ['POST', '/data/{campaignId}/preview', 'harmless'],
        'sendChatAppTemplate' => ['POST', '/message/{serviceId}/chatapp', 'keyed'],
        'previewChatAppTemplate' => ['POST', '/message/{serviceId}/chatapp/preview', 'harmless'],
        'listMessages' => ['GET', '/messages', 'harmless'],
        'listRequests' => ['GET', '/requests', 'harmless'],
        'getRequest' => ['GET', '/requests/{requestId}', 'harmless'],
        'listRequestMessages' => ['GET', '/requests/{requestId}/messages', 'harmless'],
        'cancelRequest' => ['POST', '/requests/{requestId}/cancel', 'harmless'],
        'confirmRequest' => ['POST', '/requests/{requestId}/confirm', 'harmless'],
        'listInboundMessages' => ['GET', '/inbound-messages', 'harmless'],
        'getInboundMedia' => ['GET', '/inbound-messages/{messageId}/media', 'file'],
        'listReceipts' => ['GET', '/receipts', 'harmless'],
        'getReceipt' => ['GET', '/receipts/{receiptId}', 'harmless'],
        'resendReceipt' => ['POST', '/receipts/{receiptId}/resend', 'unsafe'],
        'replayReceipts' => ['POST', '/receipts/replay', 'unsafe'],
        'testReceipt' => ['POST', '/receipts/test', 'unsafe'],
        'listOptOuts' => ['GET', '/opt-outs', 'harmless'],
        'addOptOuts' => ['POST', '/opt-outs', 'harmless'],
        'removeOptOuts' => ['POST', '/opt-outs/remove', 'harmless'],
        'listBalances' => ['GET', '/balances', 'harmless'],
        'listServices' => ['GET', '/services', 'harmless'],
        'getService' => ['GET', '/services/{serviceId}', 'harmless'],
        'listSenders' => ['GET', '/senders', 'harmless'],
        'listTemplates' => ['GET', '/templates', 'harmless'],
        'getTemplate' => ['GET', '/templates/{templateId}', 'harmless'],
        'listCampaigns' => ['GET', '/campaigns', 'harmless'],
        'getCampaign' => ['GET', '/campaigns/{campaignId}', 'harmless'],
    ];
}
