import ipaddr from 'ipaddr.js'

const isFourParts = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text)

/**
 * Whether a text is an address as one is written today. `010.1.1.1` and `1` are not:
 * some programs read them as addresses, and not all as the same one.
 */
export const isAddress = (text: string): boolean =>
  isFourParts(text) ||
  (ipaddr.IPv6.isValid(text) && (!text.includes('.') || isFourParts(text.slice(text.lastIndexOf(':') + 1))))

/** Tells of any address whether it lies in one of the networks; an empty list allows all. */
export function networksOf(networks: readonly string[]): (ip: string | null) => boolean {
  if (networks.length === 0) return () => true
  const ranges = networks.map((network) => ipaddr.parseCIDR(network))
  return (ip) => {
    if (ip === null || !isAddress(ip)) return false
    const address = ipaddr.process(ip)
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
  }
}

/** Whether an address lies in one of the networks; an empty list allows all. */
export const inNetworks = (ip: string | null, networks: readonly string[]): boolean => networksOf(networks)(ip)

const MOST_KNOWN = 1000
const known = new Map<string, string>()

/**
 * What one client has for itself: its IPv4 address, or the /64 it owns whole of IPv6. Whoever
 * counts by address counts by this. A few hundred addresses send nearly all requests, so the
 * last thousand answers are kept: each is asked for several times a request.
 */
export function networkOf(ip: string | null): string {
  if (ip === null) return 'unknown'
  const found = known.get(ip)
  if (found !== undefined) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const network = prefixOf(ip, 4)
  known.set(ip, network)
  return network
}

/** Where a client is: as `networkOf`, but the /48 that whoever rents a server gets, with 65,536 networks in it. */
export const siteOf = (ip: string | null): string => (ip === null ? 'unknown' : prefixOf(ip, 3))

/** An IPv4 address, or so many parts of sixteen bits of an IPv6 one. */
function prefixOf(ip: string, parts: number): string {
  if (!isAddress(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  // written out in full: of 2001:db8::1 the first four parts would else not be the network
  return address.kind() === 'ipv4'
    ? address.toString()
    : `${address.toNormalizedString().split(':').slice(0, parts).join(':')}::/${parts * 16}`
}
