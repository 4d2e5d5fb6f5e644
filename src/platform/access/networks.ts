import ipaddr from 'ipaddr.js'

/** Whether an address lies in one of the networks; an empty list allows all. */
export function inNetworks(ip: string | null, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  if (ip === null || !ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return networks.some((network) => {
    const [range, bits] = ipaddr.parseCIDR(network)
    return range.kind() === address.kind() && address.match(range, bits)
  })
}

/**
 * What one client has for itself: its IPv4 address, or the /64 it
 * owns whole of IPv6. Whoever counts by address counts by this.
 */
export function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  // written out in full: of 2001:db8::1 the first four parts would else not be the network
  return address.kind() === 'ipv4'
    ? address.toString()
    : `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
