<?php
// Carries out calls of the PHP client, one for each line of JSON on stdin: see driver.ts.

declare(strict_types=1);

namespace Tarishi\Http {
    /** Notes the pauses between attempts instead of waiting. */
    function usleep(int $microseconds): void
    {
        $GLOBALS['pauses'][] = $microseconds / 1000;
    }
}

namespace {
    use Tarishi\Tarishi;
    use Tarishi\TarishiException;
    use Tarishi\Webhook;

    spl_autoload_register(static function (string $class): void {
        require __DIR__ . '/../php/src/' . strtr(substr($class, strlen('Tarishi\\')), '\\', '/') . '.php';
    });

    // As where there is no php.ini.
    ini_set('zend.exception_ignore_args', '0');
    ini_set('zend.exception_string_param_max_len', '1000');

    /** @var array<string, Tarishi> */
    $clients = [];

    function carry_out(array $step): mixed
    {
        global $clients;
        // PHP's own form of an instant.
        $args = array_map(
            static fn ($part) => isset($part['instant']) ? new DateTimeImmutable($part['instant']) : $part,
            $step['args'],
        );
        switch ($step['call']) {
            case 'verifyReceipt':
                return Webhook::verifyReceipt($args['body'], $args['headers'], $args['signingSecret']);
            case 'handleReceipt':
                $seen = [];
                $onReceipt = static function (array $receipt, string $id) use (&$seen): void {
                    $seen[] = [$receipt, $id];
                };
                $status = Webhook::handleReceipt($args['body'], $args['headers'], $args['signingSecret'], $onReceipt);
                return ['status' => $status, 'seen' => $seen];
        }
        $options = $step['client'];
        $tarishi = $clients[json_encode($options)] ??= new Tarishi(...$options);
        [$resource, $method] = explode('.', $step['call']);
        $results = [];
        for ($count = 0; $count < $step['times']; $count++) {
            $result = $tarishi->$resource->$method(...$args, ...$step['options']);
            $results[] = $result instanceof Generator ? iterator_to_array($result, false) : $result;
        }
        return $step['times'] === 1 ? $results[0] : $results;
    }

    while (($line = fgets(STDIN)) !== false) {
        $pauses = [];
        try {
            $outcome = ['value' => carry_out(json_decode($line, true))];
        } catch (TarishiException $error) {
            $fields = array_intersect_key(get_object_vars($error), array_flip([
                'status', 'desc', 'result', 'requestId', 'retryAfter', 'helpUrl',
            ]));
            $kind = strtr((new ReflectionClass($error))->getShortName(), ['Exception' => 'Error']);
            $isOurs = static fn (array $frame): bool => str_starts_with($frame['class'] ?? '', 'Tarishi\\');
            $dump = print_r([array_filter($error->getTrace(), $isOurs), array_values($clients)], true);
            $outcome = ['error' => ['kind' => $kind, 'code' => $error->errorCode, ...$fields], 'dump' => $dump];
        } catch (InvalidArgumentException $error) {
            $outcome = ['error' => ['kind' => 'argument', 'desc' => $error->getMessage()]];
        } catch (Throwable $error) {
            $outcome = ['error' => ['kind' => 'bug', 'desc' => (string) $error]];
        }
        echo json_encode([...$outcome, 'pauses' => $pauses]), "\n";
    }
}
