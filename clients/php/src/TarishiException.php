<?php

declare(strict_types=1);

namespace Tarishi;

/** Why a call failed. Decide by `status` and `errorCode`; `desc` is for people and may change. */
class TarishiException extends \RuntimeException
{
    /**
     * @param string $errorCode The `Error-Code` of the response, such as `insufficient-units`; `unknown` without one.
     * @param string $desc What is wrong, in one sentence.
     * @param int|null $status The HTTP status; null if there was no response.
     * @param mixed $result Details, such as the faults of template parameters.
     * @param string|null $requestId The id to give when you ask for help.
     * @param int|null $retryAfter The number of seconds to wait before you try again, if the response says so.
     * @param string|null $helpUrl The page that explains the error and how to fix it.
     */
    final public function __construct(
        public readonly string $errorCode,
        public readonly string $desc,
        public readonly ?int $status = null,
        public readonly mixed $result = null,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
        public readonly ?string $helpUrl = null,
    ) {
        $facts = array_filter([$status, $errorCode, $requestId], static fn ($fact) => $fact !== null);
        parent::__construct("$desc (" . implode(', ', $facts) . ')', $status ?? 0);
    }
}
