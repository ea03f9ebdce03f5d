import type { ReactNode } from 'react'

/** One part as it looks, under its name. `stacked`: one under the other, not side by side. */
export function Sample({ name, stacked = false, children }: { name: string; stacked?: boolean; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-2 border-b border-line py-4 md:grid-cols-[10rem_minmax(0,1fr)]">
      <h3 className="text-sm font-medium">{name}</h3>
      <div className={stacked ? 'flex min-w-0 flex-col gap-4' : 'flex min-w-0 flex-wrap items-center gap-3'}>
        {children}
      </div>
    </div>
  )
}

export function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-10">
      <h2 id={`${id}-title`} className="border-b border-line pb-2 text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
