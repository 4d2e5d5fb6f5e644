import type { Me } from '../../features/firm/auth/auth.api.ts'
import { readBrand } from '../../lib/api/session.ts'
import { initials } from '../../lib/text/format.ts'

/** Shows the tenant's logo and name. */
export const Brand = ({ tenant }: { tenant: Me['tenant'] }) => {
  const { logoUrl } = readBrand(tenant)
  return (
    <div className="brand">
      {logoUrl ? (
        <img src={logoUrl} alt="" className="brand-logo" />
      ) : (
        <span className="brand-mark" aria-hidden>
          {initials(tenant.name)}
        </span>
      )}
      <span className="brand-name">{tenant.name}</span>
    </div>
  )
}
