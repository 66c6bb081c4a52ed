<?php

declare(strict_types=1);

namespace Tarishi;

/**
 * What was posted to you is not a receipt of yours. `errorCode` is `missing-headers`, `timestamp-out-of-range`,
 * `wrong-signature` or `malformed-body`.
 */
final class TarishiReceiptException extends TarishiException
{
}
