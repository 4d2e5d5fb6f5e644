import type { BoxOut } from './boxes.model.ts'

/** Boxes that have the same firms, such as a server and its standby, under the name of the first. */
type Group = { name: string; boxes: BoxOut[]; firms: Map<string, { slug: string; domain: string | null }> }

/** Groups the boxes by their firms; one that says nothing of itself is alone. */
export function groupBoxes(boxes: readonly BoxOut[]): Group[] {
  const groups: Group[] = []
  for (const box of boxes) {
    const firms = box.self?.firms ?? []
    let group = groups.find((one) => firms.some(({ id }) => one.firms.has(id)))
    if (!group) {
      group = { name: box.name, boxes: [], firms: new Map() }
      groups.push(group)
    }
    group.boxes.push(box)
    for (const { id, slug, domain } of firms) group.firms.set(id, { slug, domain })
  }
  return groups
}

/** Returns the map from host names to backends; firms without a domain are comments. */
export function printMap(groups: readonly Group[]): string {
  const lines = groups.flatMap(({ name, firms }) =>
    [...firms.values()].map(({ slug, domain }) =>
      domain === null ? `# ${slug} has no domain: ${name}` : `${domain} ${name}`,
    ),
  )
  return `${lines.toSorted().join('\n')}\n`
}

/** Returns the address of a box as HAProxy takes it, and how it is spoken to. */
function toServer({ name, url }: BoxOut): string {
  const { hostname, port, protocol } = new URL(url)
  const isTls = protocol === 'https:'
  const tls = ' ssl verify required ca-file @system-ca sni req.hdr(host),field(1,:)'
  const checked = isTls ? ` check-sni ${hostname}` : ''
  return `    server ${name} ${hostname}:${port === '' ? (isTls ? 443 : 80) : port}${isTls ? tls + checked : ''}`
}

const HEAD = `# made by brokerbase proxy print; for HAProxy 2.6 or later
global
    # firms are moved at run time: echo "set map /etc/haproxy/firms.map HOST BOX" | socat - /run/haproxy/admin.sock
    stats socket /run/haproxy/admin.sock mode 660 level admin
    stats timeout 30s

defaults
    mode http
    timeout connect 3s
    timeout client 75s
    timeout server 75s
    timeout check 2s
    option redispatch
    default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions

frontend office
    bind :80
    # certificates and keys, one file a name
    bind :443 ssl crt /etc/haproxy/certs/ alpn h2,http/1.1
    http-request redirect scheme https unless { ssl_fc }
    http-request return status 404 if { path /metrics } || { path_beg /peer/ }
    # replaces what the visitor sent
    http-request set-header X-Forwarded-For %[src]
    http-request set-var(txn.box) req.hdr(host),field(1,:),lower,map(/etc/haproxy/firms.map,_none)`

// names of boxes have no underscore and no dot, so that no box has the name of another backend
const NONE = `backend _none
    http-request return status 421 content-type "application/problem+json" string '{"status":421,"code":"unknown_host"}'`

const printBackend = ({ boxes }: Group, name: string, path: string): string =>
  [
    `backend ${name}`,
    '    option httpchk',
    `    http-check send meth GET uri ${path} ver HTTP/1.1 hdr Host health`,
    '    http-check expect status 200',
    ...boxes.flatMap((box) => [
      ...(box.error === null ? [] : [`    # ${box.name} said nothing of itself: ${box.error.replaceAll('\n', ' ')}`]),
      toServer(box),
    ]),
  ].join('\n')

/**
 * Returns the configuration of HAProxy for these boxes: a firm's requests go to the one of its boxes that writes, and
 * while there is none, its reads go to one that may be read. Tried with HAProxy 2.6.
 */
export function printProxy(groups: readonly Group[]): string {
  const rules = groups.map(
    ({ name }) =>
      `    use_backend ${name}.read if { var(txn.box) -m str ${name} } { method GET HEAD } { nbsrv(${name}) eq 0 }`,
  )
  return [
    [HEAD, ...rules, '    use_backend %[var(txn.box)]'].join('\n'),
    NONE,
    ...groups.flatMap((group) => [
      printBackend(group, group.name, '/ready/primary'),
      printBackend(group, `${group.name}.read`, '/ready/read'),
    ]),
    '',
  ].join('\n\n')
}
