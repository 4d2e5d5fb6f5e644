import { Alert, Button, Group, SimpleGrid } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord, useRefresh } from '../../../lib/api/use-record.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { traderName } from '../../clients/traders/trader-names.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { fetchTrader, type Trader } from '../../clients/traders/traders.api.ts'
import { mergeTraders, previewMerge } from './merge.api.ts'
import { MergePreview } from './merge-preview.tsx'
import { SideBySide } from './side-by-side.tsx'
import { say } from './words.ts'

/** A merge moves rows of these resources to the other client, so their lists are read again. */
const MOVED = [
  ...(['traders', 'accounts', 'wallets', 'deposits', 'withdrawals', 'transfers', 'adjustments', 'positions'] as const),
  ...(['kyc', 'sanctions', 'support', 'leads', 'affiliates'] as const),
]

/** Shows two records of one person side by side and what a merge would do, and merges them. */
export const MergePage = () => {
  const [search, setSearch] = useSearchParams()
  const { primary, secondary } = search
  const choose = (key: 'primary' | 'secondary') => (id: string | null) => setSearch({ [key]: id ?? undefined })
  return (
    <Page
      title={say('merges.page.title')}
      subtitle={say('merges.page.subtitle')}
      actions={
        primary &&
        secondary && (
          <Button
            variant="default"
            leftSection={<IconArrowsExchange size={16} />}
            onClick={() => setSearch({ primary: secondary, secondary: primary })}
          >
            {say('merges.page.swap')}
          </Button>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="lg">
        <Chosen
          label={say('merges.page.primary')}
          help={say('merges.page.primary_help')}
          id={primary}
          onChange={choose('primary')}
        />
        <Chosen
          label={say('merges.page.secondary')}
          help={say('merges.page.secondary_help')}
          id={secondary}
          onChange={choose('secondary')}
        />
      </SimpleGrid>
      {primary && primary === secondary ? (
        <EmptyState title={say('merges.page.same')}>{say('merges.page.same_help')}</EmptyState>
      ) : primary && secondary ? (
        <Both key={`${primary} ${secondary}`} primaryId={primary} secondaryId={secondary} />
      ) : (
        <EmptyState title={say('merges.page.choose')}>{say('merges.page.choose_help')}</EmptyState>
      )}
    </Page>
  )
}

type ChosenProps = {
  label: string
  help: string
  id: string | undefined
  onChange: (id: string | null) => void
}
const Chosen = ({ label, help, id, onChange }: ChosenProps) => {
  const found = useQuery({
    queryKey: ['traders', 'one', id ?? ''],
    queryFn: () => fetchTrader(id ?? ''),
    enabled: id !== undefined,
  })
  const name = found.data && traderName(found.data)
  return (
    <TraderPicker
      key={name ?? ''}
      label={label}
      description={help}
      clearable
      value={id ?? null}
      {...(name !== undefined && { defaultSearchValue: name, placeholder: name })}
      onChange={onChange}
    />
  )
}

const Both = ({ primaryId, secondaryId }: { primaryId: string; secondaryId: string }) => {
  const primary = useRecord('traders', primaryId, fetchTrader)
  const secondary = useRecord('traders', secondaryId, fetchTrader)
  return (
    <Loaded query={primary}>
      {(mine) => <Loaded query={secondary}>{(theirs) => <Merging primary={mine} secondary={theirs} />}</Loaded>}
    </Loaded>
  )
}

const Merging = ({ primary, secondary }: { primary: Trader; secondary: Trader }) => {
  const can = useCan()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [asked, setAsked] = useState(false)
  const preview = useQuery({
    queryKey: ['merge-preview', primary.id, secondary.id],
    queryFn: () => previewMerge(primary.id, secondary.id),
    retry: false,
  })
  const names = { primary: traderName(primary), secondary: traderName(secondary) }
  const run = async (): Promise<void> => {
    await mergeTraders(primary.id, secondary.id)
    notify(say('merges.page.done', names))
    // The page is left before anything is read again: one of its two clients no longer exists.
    await navigate({ to: '/traders/$id', params: { id: primary.id } })
    await refresh(...MOVED)
  }
  return (
    <>
      <SideBySide primary={primary} secondary={secondary} />
      <Loaded query={preview}>
        {(answer) => (
          <>
            <MergePreview merge={answer} names={names} />
            {!can(answer.needsRole) && (
              <Alert color="yellow" variant="light" mt="md">
                {say('merges.page.needs_admin')}
              </Alert>
            )}
            <Group justify="flex-end" mt="lg">
              <Button color="red" disabled={!can(answer.needsRole)} onClick={() => setAsked(true)}>
                {say('merges.page.merge')}
              </Button>
            </Group>
          </>
        )}
      </Loaded>
      <Confirm
        title={say('merges.page.confirm_title', names)}
        confirmLabel={say('merges.page.merge')}
        opened={asked}
        onClose={() => setAsked(false)}
        action={run}
      >
        {say('merges.page.confirm_text', names)}
      </Confirm>
    </>
  )
}
