<?php

declare(strict_types=1);

namespace Tarishi;

/** There was no response; `errorCode` is `timeout` or `connection-failed`. */
final class TarishiConnectionException extends TarishiException
{
}
