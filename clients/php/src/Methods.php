<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * What a client has, by theme.
 */
class Methods
{
    public readonly Sms $sms;
    public readonly Data $data;
    public readonly ChatApp $chatapp;
    public readonly Messages $messages;
    public readonly Requests $requests;
    public readonly Inbound $inbound;
    public readonly Receipts $receipts;
    public readonly OptOuts $optOuts;
    public readonly Balances $balances;
    public readonly Services $services;
    public readonly Senders $senders;
    public readonly Templates $templates;
    public readonly Campaigns $campaigns;

    protected function __construct(Caller $caller)
    {
        $this->sms = new Sms($caller);
        $this->data = new Data($caller);
        $this->chatapp = new ChatApp($caller);
        $this->messages = new Messages($caller);
        $this->requests = new Requests($caller);
        $this->inbound = new Inbound($caller);
        $this->receipts = new Receipts($caller);
        $this->optOuts = new OptOuts($caller);
        $this->balances = new Balances($caller);
        $this->services = new Services($caller);
        $this->senders = new Senders($caller);
        $this->templates = new Templates($caller);
        $this->campaigns = new Campaigns($caller);
    }
}
