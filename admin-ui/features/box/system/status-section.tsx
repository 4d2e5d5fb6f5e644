import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer } from '../../../api.ts'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { formatBytes } from '../../../lib/text/format.ts'
import { statusQuery } from './system.api.ts'
import { say } from './words.ts'

type Status = Answer<'system.status'>

/** Shows facts and figures of the installation. */
export const StatusSection = () => {
  const status = useQuery(statusQuery)
  return (
    <Section title={say('system.status.title')}>
      <Loaded query={status}>
        {(data) => (
          <dl className="system-facts">
            <Program {...data} />
            <Usage {...data} />
            {data.certificate && <Certificate certificate={data.certificate} />}
            {data.failedJobs.length > 0 && (
              <Fact name={say('system.status.failed')} isBad>
                {data.failedJobs.join(', ')}
              </Fact>
            )}
          </dl>
        )}
      </Loaded>
    </Section>
  )
}

type FactProps = { name: string; children: ReactNode; isBad?: boolean }

export const Fact = ({ name, children, isBad = false }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd {...(isBad && { className: 'error-text' })}>{children}</dd>
  </div>
)

/** Shows which version runs, and since when. */
const Program = ({ version, commit, schema, sqlite, startedAt }: Status) => (
  <>
    <Fact name={say('system.status.version')}>
      {version} <span className="dim">({commit})</span>
    </Fact>
    <Fact name={say('system.status.database')}>
      {say('system.status.schema', { schema })} <span className="dim">{say('system.sqlite', { sqlite })}</span>
    </Fact>
    <Fact name={say('system.status.started')}>
      <When at={startedAt} as="ago" />
    </Fact>
  </>
)

/** Shows how much memory and disk the installation uses. */
const Usage = ({ memoryBytes, disk, databases, standby }: Status) => (
  <>
    <Fact name={say('system.status.memory')}>{formatBytes(memoryBytes)}</Fact>
    <Fact name={say('system.status.disk')}>
      {say('system.status.free', { free: formatBytes(disk.freeBytes), total: formatBytes(disk.totalBytes) })}
    </Fact>
    {databases.map(({ name, bytes, logBytes }) => (
      <Fact key={name} name={standby ? say('standby.copy') : name}>
        {formatBytes(bytes)}{' '}
        {logBytes > 0 && <span className="dim">{say('system.status.log', { log: formatBytes(logBytes) })}</span>}
      </Fact>
    ))}
  </>
)

const Certificate = ({ certificate: { notAfter, names } }: { certificate: NonNullable<Status['certificate']> }) => (
  <Fact name={say('system.status.certificate')}>
    {notAfter ? <When at={notAfter} /> : say('system.status.no_certificate')}{' '}
    <span className="dim">{names.join(', ')}</span>
  </Fact>
)
