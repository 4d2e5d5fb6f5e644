import { ActionIcon, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../components/page/error-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { notify, notifyFailure } from '../../../lib/api/notify.tsx'
import { type Job, type JobRun, jobsQuery, runJob } from './system.api.ts'
import { say } from './words.ts'

const UNITS = [
  [86_400, 'system.jobs.days'],
  [3600, 'system.jobs.hours'],
  [60, 'system.jobs.minutes'],
] as const

/** Says how often a job runs, in the largest unit that gives a whole number. */
const every = (seconds: number): string => {
  for (const [unit, word] of UNITS)
    if (seconds >= unit && seconds % unit === 0) return say(word, { count: seconds / unit })
  return say('system.jobs.seconds', { count: Math.round(seconds) })
}

const Outcome = ({ run }: { run: JobRun | null }) =>
  run ? (
    <>
      <StatusBadge
        status={run.status}
        tone={run.status === 'done' ? 'good' : run.status === 'failed' ? 'bad' : 'off'}
        label={say(`system.jobs.${run.status}`)}
      />{' '}
      <When at={run.endedAt ?? run.startedAt} as="ago" />
      {run.detail && (
        <Text size="xs" c="dimmed" lineClamp={2} title={run.detail}>
          {run.detail}
        </Text>
      )}
    </>
  ) : (
    <span className="dim">—</span>
  )

const JobRow = ({ job }: { job: Job }) => {
  const client = useQueryClient()
  const run = useMutation({
    mutationFn: () => runJob(job.name),
    onSuccess: () => {
      notify(say('system.jobs.started', { name: job.name }))
      return client.invalidateQueries({ queryKey: jobsQuery.queryKey })
    },
    onError: (error) => notifyFailure(errorText(error)),
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{job.about}</Text>
        <Text size="xs" c="dimmed">
          <code>{job.name}</code>
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="jobs-every">
        {every(job.everySeconds)}
      </Table.Td>
      <Table.Td>
        {job.running ? (
          <StatusBadge status="running" tone="wait" label={say('system.jobs.running')} />
        ) : (
          <Outcome run={job.lastRun} />
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Outcome run={job.lastWork} />
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label={say('system.jobs.run')}>
          <ActionIcon
            variant="default"
            size="lg"
            disabled={job.running}
            loading={run.isPending}
            onClick={() => run.mutate()}
            aria-label={say('system.jobs.run_one', { name: job.name })}
          >
            <IconPlayerPlay size={16} />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  )
}

/** Lists the jobs, each with a way to run it now. */
export const JobsSection = () => {
  const jobs = useQuery(jobsQuery)
  return (
    <Section title={say('system.jobs.title')} description={say('system.jobs.description')} flush>
      <Loaded query={jobs}>
        {({ data }) => (
          <ScrollRegion className="jobs-region" label={say('system.jobs.title')}>
            <Table verticalSpacing={8} horizontalSpacing="md" aria-label={say('system.jobs.title')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{say('system.jobs.job')}</Table.Th>
                  <Table.Th visibleFrom="sm">{say('system.jobs.every')}</Table.Th>
                  <Table.Th>{say('system.jobs.last')}</Table.Th>
                  <Table.Th visibleFrom="sm">{say('system.jobs.work')}</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>{say('system.jobs.acts')}</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map((job) => (
                  <JobRow key={job.name} job={job} />
                ))}
              </Table.Tbody>
            </Table>
          </ScrollRegion>
        )}
      </Loaded>
    </Section>
  )
}
