import type { Recommendation } from '@touchstone/contract';
import type { EndpointPictureContent } from './picture-content.ts';
import { GradePlate, PICTURE_COLORS, PictureFrame } from './picture-parts.tsx';

/** Colors of the recommendations: those of the dark theme of the site (libs/ui/src/theme.css). */
const RECOMMENDATION_COLORS: Readonly<Record<Recommendation, string>> = {
  proceed: '#75d0a3',
  caution: '#e6b75c',
  parameterize: PICTURE_COLORS.ink,
  avoid: '#ff9281',
  unverified: PICTURE_COLORS.soft,
  free: PICTURE_COLORS.soft,
};

/** Picture of an endpoint for link previews: its grade, score, recommendation, URL, uptime and the day of the snapshot. */
export function EndpointPicture({ content }: { readonly content: EndpointPictureContent }) {
  const { grade, gradeName, score, recommendation, recommendationLabel, resource, uptime, day } = content;
  return (
    <PictureFrame note={`Measured until ${day}`}>
      <div style={{ display: 'flex', alignItems: 'center' }}>
        <GradePlate grade={grade} width={204} />
        <div style={{ display: 'flex', flexDirection: 'column', marginLeft: 56 }}>
          <div style={{ display: 'flex', alignItems: 'baseline' }}>
            <div style={{ fontSize: 124, fontWeight: 700, lineHeight: 1 }}>{score}</div>
            <div style={{ marginLeft: 22, fontSize: 38, color: PICTURE_COLORS.soft }}>
              {`of 100 · ${gradeName}`}
            </div>
          </div>
          <div style={{ display: 'flex', alignItems: 'baseline', marginTop: 18, fontSize: 46 }}>
            <div style={{ fontWeight: 700, color: RECOMMENDATION_COLORS[recommendation] }}>
              {recommendationLabel}
            </div>
            <div style={{ marginLeft: 34, fontSize: 34, color: PICTURE_COLORS.soft }}>{uptime}</div>
          </div>
        </div>
      </div>
      <div
        style={{
          display: 'flex',
          marginTop: 44,
          fontSize: resource.length > 60 ? 34 : 42,
          lineHeight: 1.25,
          wordBreak: 'break-all',
        }}
      >
        {resource}
      </div>
    </PictureFrame>
  );
}
