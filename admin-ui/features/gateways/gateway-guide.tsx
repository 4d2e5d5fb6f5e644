import { Drawer, Group, Stack, Text } from '@mantine/core'
import { CopyText } from '../../components/copy-once.tsx'
import { JsonBlock } from '../../components/json-block.tsx'
import { WIDE_DRAWER } from '../../lib/drawer-widths.ts'
import type { Gateway } from './gateways.api.ts'

const BODY = `{"reference":"PAY-1001","depositId":"dep_…","status":"success"}`

const shell = (address: string): string =>
  [
    `BODY='${BODY}'`,
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
    `curl '${address}' -H 'Content-Type: application/json' -H "X-Psp-Signature: $SIGNATURE" -d "$BODY"`,
  ].join('\n')

/** Where a gateway sends its results and how it signs them. */
export const GatewayGuide = ({ gateway, onClose }: { gateway: Gateway | null; onClose: () => void }) => {
  const address = gateway ? location.origin + gateway.callbackPath : ''
  return (
    <Drawer opened={gateway !== null} onClose={onClose} title={gateway?.name ?? ''} size={WIDE_DRAWER}>
      <Stack>
        <Text size="sm">The gateway posts the result of each payment to this address:</Text>
        <JsonBlock value={address} label="Callback address" />
        <Group>
          <CopyText text={address} label="Copy address" />
        </Group>
        <Text size="sm">
          The header <code className="code">X-Psp-Signature</code> carries the HMAC-SHA256 of the body, byte for byte,
          with the shared secret as key, in hexadecimal. <code className="code">status</code> is success, failed or
          processing. The same result sent again changes nothing.
        </Text>
        <Text size="sm" fw={600}>
          Try it in a shell
        </Text>
        <JsonBlock value={shell(address)} label="Example call" />
      </Stack>
    </Drawer>
  )
}
