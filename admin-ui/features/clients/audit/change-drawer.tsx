import { Drawer, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Facts } from '../../../components/page/record-page.tsx'
import { JsonDiff } from '../../../components/show/json-diff.tsx'
import { When } from '../../../components/show/moment.tsx'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { actionText, actorText } from './audit-words.ts'
import { say } from './words.ts'

type Change = {
  action: string
  actorKind: string
  actorName: string | null
  at: string
  entity: string
  entityId: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  erased?: boolean
}

type ChangeDrawerProps = {
  entry: Change | null
  /** These label and value pairs are shown too. */
  facts?: readonly (readonly [string, ReactNode])[]
  onClose: () => void
}

/** Shows one entry of the audit log: who did what, and every field before and after. */
export const ChangeDrawer = ({ entry, facts = [], onClose }: ChangeDrawerProps) => (
  <Drawer opened={entry !== null} onClose={onClose} title={entry ? actionText(entry.action) : ''} size={WIDE_DRAWER}>
    {entry && (
      <Stack gap="lg">
        <Facts
          items={[
            [say('audit.who'), actorText(entry)],
            [say('common.when'), <When key="at" at={entry.at} />],
            [say('audit.record'), entry.entityId],
            ...facts,
          ]}
        />
        {entry.erased ? (
          <Text size="sm" c="dimmed">
            {say('audit.change.erased')}
          </Text>
        ) : (
          <JsonDiff before={entry.before} after={entry.after} />
        )}
      </Stack>
    )}
  </Drawer>
)
