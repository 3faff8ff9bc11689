-- name: capture/column_lineage_lists
-- Rendered from model/tables/column_lineage_lists.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('column_lineage_lists', '{column_lineage}', '{pairs_uuid,output_field_uuids,input_field_uuids,transformation_descriptions,transformation_types,first_stated_at}', only_removed => true);

-- name: capture/column_lineage_versions
-- Rendered from model/tables/column_lineage_versions.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('column_lineage_versions', '{column_lineage}', '{output_dataset_version_uuid,input_dataset_version_uuid,pairs_uuid,created_at}');

-- name: capture/column_pairs_to_move
-- Rendered from model/tables/column_pairs_to_move.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('column_pairs_to_move', '{column_lineage}', '{pairs_uuid,output_dataset_field_uuid,input_dataset_field_uuid,transformation_description,transformation_type,created_at}', only_removed => true);

-- name: capture/dataset_endings
-- Rendered from model/tables/dataset_endings.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_endings', '{dataset_endings}', '{name_uuid,event_order,renamed_to}');

-- name: capture/tags
-- Rendered from model/tables/tags.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('tags', '{tags}', '{uuid,created_at,name,description}');

-- name: capture/owners
-- Rendered from model/tables/owners.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('owners', '{owners}', '{uuid,created_at,name}');

-- name: capture/namespaces
-- Rendered from model/tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('namespaces', '{namespaces}', '{uuid,created_at,name,description,current_owner_name,is_hidden}');

-- name: capture/sources
-- Rendered from model/tables/sources.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('sources', '{sources}', '{uuid,type,created_at,name,connection_url,description}');

-- name: capture/event_ledger
-- Rendered from model/tables/event_ledger.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('event_ledger', '{job_facets,run_facets}', '{event_time,run_uuid,job_uuid,lineage_event_type,run_facets_uuid,job_facets_uuid}');

-- name: capture/facet_sets
-- Rendered from model/tables/facet_sets.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('facet_sets', '{dataset_facets,job_facets,run_facets}', '{uuid,facets}', only_removed => true);

-- name: capture/facets
-- Rendered from model/tables/facets.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('facets', '{dataset_facets,job_facets,run_facets}', '{uuid,name,facet}', documents => '{facet}', only_removed => true);

-- name: capture/identity_map
-- Rendered from model/tables/identity_map.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('identity_map', '{identity_map}', '{entity,key_uuid,uuid}');

-- name: capture/jobs_fqn
-- Rendered from model/tables/jobs_fqn.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('jobs_fqn', '{jobs_fqn}', '{uuid,namespace_uuid,namespace_name,parent_job_name,aliases,job_fqn}');

-- name: capture/run_args
-- Rendered from model/tables/run_args.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('run_args', '{run_args}', '{uuid,created_at,args,checksum}');

-- name: capture/dataset_symlinks
-- Rendered from model/tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_symlinks', '{dataset_symlinks}', '{dataset_uuid,name,namespace_uuid,type,is_primary,created_at}');

-- name: capture/jobs
-- Rendered from model/tables/jobs.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('jobs', '{jobs}', '{uuid,type,created_at,namespace_uuid,simple_name,description,current_version_uuid,namespace_name,current_job_context_uuid,current_location,current_inputs,symlink_target_uuid,parent_job_uuid,parent_job_uuid_string,is_hidden,name,aliases,current_run_uuid}', documents => '{current_inputs}');

-- name: capture/namespace_ownerships
-- Rendered from model/tables/namespace_ownerships.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('namespace_ownerships', '{namespace_ownerships}', '{uuid,started_at,ended_at,namespace_uuid,owner_uuid}');

-- name: capture/datasets
-- Rendered from model/tables/datasets.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('datasets', '{datasets}', '{uuid,type,created_at,namespace_uuid,source_uuid,name,physical_name,description,current_version_uuid,last_modified_at,namespace_name,source_name,is_deleted,is_hidden}');

-- name: capture/job_edges
-- Rendered from model/tables/job_edges.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('job_edges', '{job_edges}', '{job_uuid,role,name_uuid,lineage_uuid,since_event,until_event}');

-- name: capture/job_ownerships
-- Rendered from model/tables/job_ownerships.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('job_ownerships', '{job_ownerships}', '{job_uuid,owner_uuid,type,reported_at}');

-- name: capture/job_version_timeline
-- Rendered from model/tables/job_version_timeline.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('job_version_timeline', '{job_version_timeline}', '{job_uuid,event_order,run_uuid,job_version_uuid}');

-- name: capture/job_versions
-- Rendered from model/tables/job_versions.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('job_versions', '{job_versions}', '{uuid,created_at,job_uuid,version,location,latest_run_uuid,job_context_uuid,namespace_uuid,namespace_name,job_name}');

-- name: capture/jobs_tag_mapping
-- Rendered from model/tables/jobs_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('jobs_tag_mapping', '{jobs_tag_mapping}', '{job_uuid,tag_uuid,tagged_at,is_reported}');

-- name: capture/dataset_fields
-- Rendered from model/tables/dataset_fields.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_fields', '{dataset_fields}', '{uuid,type,created_at,dataset_uuid,name,description}');

-- name: capture/dataset_mentions
-- Rendered from model/tables/dataset_mentions.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_mentions', '{dataset_facets}', '{dataset_uuid,role,event_time,run_uuid,version_uuid,lineage_event_type,facets_uuid,io_facets_uuid,is_purged}');

-- name: capture/dataset_ownerships
-- Rendered from model/tables/dataset_ownerships.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_ownerships', '{dataset_ownerships}', '{dataset_uuid,owner_uuid,type,reported_at}');

-- name: capture/dataset_schema_versions
-- Rendered from model/tables/dataset_schema_versions.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_schema_versions', '{dataset_schema_versions,dataset_schema_versions_field_mapping}', '{uuid,dataset_uuid,created_at,field_uuids}');

-- name: capture/datasets_tag_mapping
-- Rendered from model/tables/datasets_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('datasets_tag_mapping', '{datasets_tag_mapping}', '{dataset_uuid,tag_uuid,tagged_at,is_reported}');

-- name: capture/job_versions_io_mapping
-- Rendered from model/tables/job_versions_io_mapping.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('job_versions_io_mapping', '{job_versions_io_mapping}', '{job_version_uuid,dataset_uuid,io_type,job_uuid,job_symlink_target_uuid,is_current_job_version,made_current_at}');

-- name: capture/runs
-- Rendered from model/tables/runs.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('runs', '{runs}', '{uuid,created_at,job_version_uuid,run_args_uuid,nominal_start_time,nominal_end_time,current_run_state,start_run_state_uuid,end_run_state_uuid,external_id,namespace_name,job_name,location,transitioned_at,started_at,ended_at,job_context_uuid,parent_run_uuid,job_uuid}');

-- name: capture/dataset_fields_tag_mapping
-- Rendered from model/tables/dataset_fields_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_fields_tag_mapping', '{dataset_fields_tag_mapping}', '{dataset_field_uuid,tag_uuid,tagged_at,is_reported}');

-- name: capture/dataset_schema_verdicts
-- Rendered from model/tables/dataset_schema_verdicts.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_schema_verdicts', '{dataset_schema_verdicts}', '{dataset_uuid,event_order,version_uuid,current_from,verdict,changes,refusals,fencing}', documents => '{changes,refusals,fencing}');

-- name: capture/dataset_versions
-- Rendered from model/tables/dataset_versions.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('dataset_versions', '{dataset_versions}', '{uuid,created_at,dataset_uuid,version,run_uuid,fields,namespace_name,dataset_name,lifecycle_state,dataset_schema_version_uuid}', documents => '{fields}');

-- name: capture/schema_fields_to_move
-- Rendered from model/tables/schema_fields_to_move.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('schema_fields_to_move', '{dataset_schema_versions_field_mapping}', '{dataset_schema_version_uuid,dataset_field_uuid}');

-- name: capture/run_facets_kept_once
-- Rendered from model/tables/run_facets_kept_once.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('run_facets_kept_once', '{run_facets}', '{run_uuid,facet_uuid,event_time,lineage_event_type}');

-- name: capture/run_states
-- Rendered from model/tables/run_states.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('run_states', '{run_states}', '{uuid,transitioned_at,run_uuid,state}');

-- name: capture/runs_input_mapping
-- Rendered from model/tables/runs_input_mapping.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('runs_input_mapping', '{runs_input_mapping}', '{run_uuid,dataset_version_uuid}');
