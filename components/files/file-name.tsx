import { Fragment } from 'react'

/** Names of files have no spaces: they break after what divides their parts, before they break anywhere else. */
export const FileName = ({ name }: { name: string }) =>
  name.split(/(?<=[_\-.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
