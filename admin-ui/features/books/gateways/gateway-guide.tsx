import { Alert, Group, Stack, Text } from '@mantine/core'
import { CopyText } from '../../../components/forms/copy-once.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { JsonBlock } from '../../../components/show/json-block.tsx'
import { When } from '../../../components/show/moment.tsx'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import type { Gateway } from './gateways.api.ts'
import { say, tell } from './words.ts'

const BODY = `{"reference":"PAY-1001","depositId":"dep_…","status":"success"}`

const shell = (address: string): string =>
  [
    `BODY='${BODY}'`,
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
    `curl '${address}' -H 'Content-Type: application/json' -H "X-Psp-Signature: $SIGNATURE" -d "$BODY"`,
  ].join('\n')

/** Shows where a gateway sends its results and how it signs them. */
export const GatewayGuide = ({ gateway, onClose }: { gateway: Gateway | null; onClose: () => void }) => {
  const address = gateway ? location.origin + gateway.callbackPath : ''
  return (
    <RecordDrawer opened={gateway !== null} onClose={onClose} title={gateway?.name ?? ''} size={WIDE_DRAWER}>
      <Stack>
        {gateway && <Secret gateway={gateway} />}
        <Text size="sm">{say('gateways.guide.about')}</Text>
        <JsonBlock value={address} label={say('gateways.guide.address')} />
        <Group>
          <CopyText text={address} label={say('gateways.guide.copy')} />
        </Group>
        <Text size="sm">
          {tell('gateways.guide.signature', {
            header: <code className="code">X-Psp-Signature</code>,
            status: <code className="code">status</code>,
          })}
        </Text>
        <Text size="sm" fw={600}>
          {say('gateways.guide.example.title')}
        </Text>
        <JsonBlock value={shell(address)} label={say('gateways.guide.example.label')} />
      </Stack>
    </RecordDrawer>
  )
}

/** Shows who entered the secret that signs the results, and when. */
const Secret = ({ gateway: { secretBy, secretAt, standsStill } }: { gateway: Gateway }) => {
  const { findStaffName } = useStaff()
  return (
    <>
      {standsStill && (
        <Alert color="red" variant="light" title={say('gateways.standing.label')}>
          {say('gateways.standing.about')}
        </Alert>
      )}
      <Facts
        items={[
          [say('gateways.secret.entered_by'), findStaffName(secretBy, secretAt) ?? undefined],
          [say('gateways.secret.entered_at'), secretAt ? <When key="at" at={secretAt} /> : undefined],
        ]}
      />
    </>
  )
}
