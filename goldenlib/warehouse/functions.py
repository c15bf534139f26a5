"""Functions that SQL may call, and why others are refused.

Rule: for an agent's SQL a list of what is allowed: functions that compute from their arguments and rows. What is not on it is refused,
whatever it does; the patterns only say why. Functions that sqlglot knows by a class of its own are taken for pure, unless a pattern
says otherwise: a new release of sqlglot may know more of them, and the engine is closed in any case. What golden SQL calls is allowed
too, and what a setting names; but what leads out of the database is refused to everyone.
"""

from __future__ import annotations

import re

# Where a table is expected. No table function of DuckDB besides these is without a file, an address, a catalogue or SQL in a text.
_TABLE_FUNCTIONS = """
    explode exploding_generate_series flatten generate_date_array generate_series generate_subscripts generate_timestamp_array
    json_array_elements
    json_array_elements_text json_each json_each_text json_object_keys json_tree jsonb_array_elements jsonb_array_elements_text
    json_populate_recordset json_to_record json_to_recordset jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query
    jsonb_populate_recordset jsonb_to_record jsonb_to_recordset j_s_o_n_table posexplode range regexp_matches regexp_split_to_table
    string_to_table unnest values
"""
TABLE_FUNCTIONS = frozenset(_TABLE_FUNCTIONS.split())

# SQL text inside SQL, files, other databases, settings, the session, waiting: none of them is an answer about the data.
_REASONS = tuple(
    (re.compile(pattern), why)
    for pattern, why in (
        (
            r"read_|parquet_|scan_|glob$|sniff_|lo_|load_|to_file|.*_scan$|.*_file$|copy|pg_read|pg_ls|pg_stat_file|import|export",
            "reads or writes files",
        ),
        (
            r"dblink|http|postgres_|mysql_|sqlite_|iceberg|delta_|net_func|load_aws|which_secret|secret",
            "reaches other databases or the network",
        ),
        (r".*sleep|benchmark$|waitfor", "only waits"),
        (
            r"query|.*_to_xml|json_execute|json_serialize|json_deserialize|exec|xmltable|x_m_l_table|open_j_s_o_n|ts_stat|ts_rewrite|crosstab|connectby|xpath_table|plpgsql_",
            "runs SQL that is hidden in a text",
        ),
        (r".*setting|set_config|getenv|get_?variable|setseed|add_parquet|force_|enable_|disable_", "reads or changes settings"),
        (
            r"nextval|setval|currval|lastval|next_value_for|txid|write_log|pg_advisory|pg_notify|pg_cancel|pg_terminate|pg_reload",
            "changes or reads state",
        ),
        (
            r"current_(?!date|time|local)|session_|system_user|user|version|.*privilege|inet_|host$|object_id",
            "tells about the session, not about the data",
        ),
        (
            r"pg_(?!typeof$)|(to_)?reg(class|collation|config|dictionary|namespace|oper|proc|role|type)|duckdb_|pragma_|information_|col_desc|obj_desc|shobj_desc|format_type|catalog",
            "reads the system catalogue",
        ),
        (r"a_?i_|m_l_|predict|generate_(text|table|embedding|bool|double|int)|vector_search|features_at", "calls a model"),
    )
)


# What leads out of the database, to anything that is not a row of a table: refused to golden SQL too, whatever is allowed. Whole names,
# since golden SQL calls functions of the warehouse's own, which may be called import_duty or copy_number.
_LEADS_OUT = tuple(
    (re.compile(f"(?:{'|'.join(patterns.split())})$"), why)
    for patterns, why in (
        (
            r"""pg_read_\w*file\w* pg_ls_\w+ pg_stat_file pg_file_\w+ pg_logdir_ls pg_current_logfile lo_import lo_export lo_creat lo_create
            lo_open lo_close lo_unlink lo_put lo_get lo_from_bytea lo_truncate(64)? lo_lseek(64)? lo_tell(64)? loread lowrite load_file
            load_extension readfile writefile fts3_tokenizer sys_exec sys_eval utl_\w+ bfilename read_csv(_auto)? read_text read_blob
            read_json\w* read_ndjson\w* read_parquet read_duckdb read_xlsx read_avro parquet_scan parquet_(file_|kv_)?metadata sniff_csv
            openrowset""",
            "reads or writes files",
        ),
        (
            r"""dblink\w* postgres_(scan|query|execute|attach)\w* mysql_(scan|query|execute) sqlite_(scan|attach|query) iceberg_\w+
            delta_scan http(_(get|post|put|patch|delete|head|set_curlopt))? httpuritype opendatasource openquery external_query aws_\w+
            query_export_to_s3 table_import_from_s3 load_aws_credentials which_secret duckdb_secrets""",
            "reaches other databases or the network",
        ),
        (
            r"""(query|table|cursor|schema|database)_to_xml\w* query query_table json_execute_serialized_sql ts_stat ts_rewrite
            crosstab\w* connectby xpath_table plpgsql_\w+ dbms_\w+ eval""",
            "runs SQL that is hidden in a text",
        ),
        (r"set_config getenv force_checkpoint checkpoint", "reads or changes settings"),
        (
            r"""nextval setval lastval get_lock release_lock release_all_locks is_used_lock \w*_pos_wait write_log pg_notify txid_current
            pg_(try_)?advisory_\w+ pg_(cancel|terminate)_backend pg_reload_conf pg_rotate_logfile\w* pg_switch_\w+ pg_promote pg_log_\w+
            pg_(create|drop|copy|advance|replication|logical|wal_replay|backup|start|stop|export|import|stat_reset|extension_config)\w*""",
            "changes or reads state",
        ),
    )
)
_CLICKHOUSE_TABLES = re.compile("(file|url|s3|hdfs|remote|remotesecure|mysql|postgresql|mongodb|redis|odbc|jdbc|executable|input)$")
_NOT_LISTED = "is not on the list of functions that are allowed; leave it out, or allow it with the setting warehouse_functions"


def why_never(name: str, dialect: str) -> str | None:
    """Return why nobody may call a function, golden SQL neither, in words that follow its name; None when somebody may."""
    if dialect == "clickhouse" and _CLICKHOUSE_TABLES.match(name):
        return "leads out of the database"
    return next((why for pattern, why in _LEADS_OUT if pattern.match(name)), None)


def why_refused(name: str, dialect: str, *, known_to_parser: bool) -> str | None:
    """Return why an agent's SQL may not call a function, in words that follow its name; None when it may."""
    if name in _BY_DIALECT.get(dialect, ()):
        return None
    for pattern, why in _REASONS:
        if pattern.match(name):
            return why
    is_pure = known_to_parser or name in PURE_FUNCTIONS
    return None if is_pure else _NOT_LISTED


_PURE_FUNCTIONS = """
    abs acos acosh add add_months age aggregate ago any_value apply approx_count_distinct approx_quantile approx_top_k arbitrary arg_max
    arg_max_null arg_max_nulls_last arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg array_aggr array_aggregate
    array_append array_apply array_cat array_concat array_contains array_cosine_distance array_cosine_similarity array_cross_product
    array_dims array_distance array_distinct array_dot_product array_extract array_fill array_filter array_grade_up array_has
    array_has_all array_has_any array_indexof array_inner_product array_intersect array_length array_lower array_ndims
    array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front array_position array_positions array_prepend
    array_push_back array_push_front array_reduce array_remove array_replace array_resize array_reverse array_reverse_sort array_select
    array_slice array_sort array_to_json array_to_string array_to_string_comma_default array_transform array_unique array_upper
    array_value array_where array_zip ascii asin asinh assert_true atan atan2 atanh avg bar base64 bin binom bit_and bit_count
    bit_length bit_or bit_position bit_xor bitstring bitstring_agg bool_and bool_or btrim cardinality cbrt ceil ceiling century char
    char_length character_length charindex chr clock_timestamp concat concat_ws contains convert convert_from convert_to corr cos cosh
    cot count count_if count_star countif covar_pop covar_samp cume_dist current_date current_localtime current_localtimestamp
    damerau_levenshtein date_add date_bin date_diff date_format date_part date_sub date_trunc dateadd datediff datepart daterange
    datesub datetime datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade decimal_average decimal_division decode
    degrees dense_rank div divide editdist3 element_at encode ends_with entropy enum_code enum_first enum_last enum_range
    enum_range_boundary eomonth epoch epoch_ms epoch_ns epoch_us equi_width_bins era error even every exp factorial favg fdiv fill
    filter first first_value flatten floor fmod format format_bytes formatreadabledecimalsize formatreadablesize from_base64 from_binary
    from_hex from_json from_json_strict fsum gamma gcd gen_random_uuid generate_series generate_subscripts geomean geometric_mean
    get_bit get_byte get_current_time get_current_timestamp grade_up greatest greatest_common_divisor group_concat hamming hash hex
    histogram histogram_exact hour if ifnull iif ilike_escape initcap instr int4range int8range is_histogram_other_bin isempty isfinite
    isinf isnan isnull isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json json_agg json_array json_array_elements
    json_array_elements_text json_array_length json_build_array json_build_object json_contains json_copy_strftime_if_date
    json_copy_strftime_if_timestamp json_deep_merge json_each json_each_text json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure json_insert json_keys
    json_merge_patch json_merge_patch_diff json_normalize json_object json_object_agg json_object_keys json_pretty json_quote
    json_remove json_replace json_set json_strip_nulls json_structure json_transform json_transform_strict json_type json_typeof
    json_valid json_value jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
    jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys
    jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
    jsonb_typeof julian julianday justify_days justify_hours justify_interval kahan_sum kurtosis kurtosis_pop lag last last_day
    last_value lcase lcm lead least least_common_multiple left left_grapheme len length length_grapheme levenshtein lgamma like_escape
    likelihood likely list list_aggr list_aggregate list_any_value list_append list_apply list_approx_count_distinct list_avg
    list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_cat list_concat list_contains list_cosine_distance
    list_cosine_similarity list_count list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter
    list_first list_grade_up list_has list_has_all list_has_any list_histogram list_indexof list_inner_product list_intersect
    list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode list_negative_dot_product
    list_negative_inner_product list_pack list_position list_prepend list_product list_reduce list_resize list_reverse list_reverse_sort
    list_select list_sem list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform
    list_unique list_value list_var_pop list_var_samp list_where list_zip listagg ln log log10 log2 lower lower_inc lower_inf lpad ltrim
    lttb mad make_date make_interval make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz makedate maketime map
    map_concat map_contains map_contains_entry map_contains_value map_entries map_extract map_extract_value map_from_entries map_keys
    map_values max max_by md5 md5_number md5_number_lower md5_number_upper mean median microsecond millennium millisecond min min_by
    min_scale minute mismatches mod mode month monthname months_between multiply multirange nanosecond nextafter nfc_normalize
    normalized_interval not_ilike_escape not_like_escape now nth_value ntile nullif num_nonnulls num_nulls numrange nvl nvl2
    octet_length ord overlay parse_dirname parse_dirpath parse_filename parse_formatted_bytes parse_ident parse_path path_join
    percent_rank percentile_cont percentile_disc pg_typeof phraseto_tsquery pi plainto_tsquery position pow power prefix printf product
    quantile quantile_cont quantile_disc quarter quote_ident quote_literal quote_nullable radians random range range_agg range_merge
    rank rank_dense reduce regexp_count regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_instr regexp_like
    regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count
    regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reservoir_quantile reverse right right_grapheme round
    round_even roundbankers row row_number row_to_json rpad rtrim scale second sem set_bit sha1 sha224 sha256 sha384 sha512 sign signbit
    similarity sin sinh skewness split split_part sqrt st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_crs st_geomfromgeojson
    st_geomfromwkb st_intersects_extent st_setcrs starts_with statement_timestamp stddev stddev_pop stddev_samp str_split
    str_split_regex str_to_date strftime string_agg string_split string_split_regex string_to_array string_to_table strip_accents strlen
    strpos strptime struct_concat struct_contains struct_extract struct_extract_at struct_has struct_indexof struct_insert struct_keys
    struct_pack struct_position struct_update struct_values substr substring substring_grapheme subtract suffix sum sum_no_overflow
    sumkahan switch tan tanh time_bucket timediff timeofday timestampadd timestampdiff timezone timezone_hour timezone_minute to_base
    to_base64 to_binary to_centuries to_char to_date to_days to_decades to_hex to_hours to_json to_jsonb to_microseconds to_millennia
    to_milliseconds to_minutes to_months to_number to_quarters to_seconds to_timestamp to_tsquery to_tsvector to_weeks to_years today
    total transaction_timestamp translate trim trim_array trim_scale trunc try_strptime ts_headline ts_rank ts_rank_cd tsrange tstzrange
    tsvector_to_array typeof ucase unbin unhex unicode union_extract union_tag union_value unistr unixepoch unlikely unpivot_list upper
    upper_inc upper_inf url_decode url_encode uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 var_pop var_samp variance
    variant_array_length variant_contains variant_exists variant_extract variant_extract_string variant_group_array variant_group_object
    variant_keys variant_type variant_typeof vertex_extract wavg websearch_to_tsquery week weekday weekofyear weighted_avg width_bucket
    xmlagg xor year yearweek zeroblob
"""
PURE_FUNCTIONS = frozenset(_PURE_FUNCTIONS.split())

# Everyday functions that one engine has and others spell otherwise, or do not have, or mean something else by.
_SQLITE = """
    date datetime glob iif instr julianday json_each json_tree likelihood likely printf quote soundex strftime
    time timediff total typeof unicode unixepoch unlikely zeroblob
"""
_POSTGRES = """
    akeys array_to_string avals area bpchar box box2d center circle cosine_distance date defined diameter each exist float4 float8
    get_byte hstore hstore_to_array hstore_to_json hstore_to_jsonb hstore_to_json_loose inner_product int2 int4 int8 interval
    isclosed isopen jsonb_array_to_text jsonb_extract_path json_populate_record jsonb_populate_record json_to_record jsonb_to_record
    json_to_recordset jsonb_to_recordset l1_distance l2_distance l2_norm length levenshtein_less_equal metaphone dmetaphone
    dmetaphone_alt difference masklen money name netmask network normalize npoints numeric path point polygon lseg line radius regexp_match
    skeys slice soundex st_area st_asewkt st_asgeojson st_askml st_assvg st_azimuth st_boundary st_buffer st_centroid st_clusterdbscan
    st_closestpoint st_collect st_contains st_convexhull st_coveredby st_covers st_crosses st_difference st_disjoint st_distance
    st_distancesphere st_distancespheroid st_dwithin st_endpoint st_envelope st_equals st_expand st_extent st_flipcoordinates
    st_force2d st_geogfromtext st_geohash st_geometryn st_geometrytype st_geomfromtext st_intersection st_intersects st_isempty
    st_isvalid st_length st_linemerge st_makeenvelope st_makeline st_makepoint st_makepolygon st_makevalid st_maxdistance st_multi
    st_npoints st_numgeometries st_numpoints st_overlaps st_perimeter st_point st_pointfromtext st_pointn st_pointonsurface
    st_polygon st_setsrid st_simplify st_snaptogrid st_srid st_startpoint st_subdivide st_symdifference st_touches st_transform
    st_union st_within st_x st_xmax st_xmin st_y st_ymax st_ymin st_z svals text time timestamp timestamptz unaccent vector_dims
    vector_norm width height width_bucket word_similarity strict_word_similarity ts_rank xmlelement xmlforest xpath
"""
_MYSQL = """
    addtime adddate aes_decrypt any_value bit_count compress concat_ws conv convert_tz crc32 curdate current_date current_time
    current_timestamp curtime date date_add date_format date_sub datediff dayname dayofmonth dayofweek dayofyear elt export_set
    extractvalue field find_in_set format from_days from_unixtime get_format hex hour if ifnull inet6_aton inet6_ntoa inet_aton
    inet_ntoa insert instr interval is_ipv4 is_ipv6 is_uuid json_arrayagg json_contains_path json_depth json_detailed json_length
    json_merge_preserve json_objectagg json_overlaps json_search json_unquote last_day lcase left localtime localtimestamp locate
    makedate maketime microsecond mid minute monthname oct octet_length ord period_add period_diff quarter quote rand regexp_substr
    sec_to_time second sha2 soundex space std stddev_pop stddev_samp str_to_date strcmp subdate substring_index subtime sysdate time
    time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days to_seconds truncate ucase uncompress unix_timestamp
    updatexml upper utc_date utc_time utc_timestamp uuid uuid_to_bin bin_to_uuid values week weekday weekofyear weight_string
    year yearweek
"""
_CLICKHOUSE = """
    anyif anylast grouparray groupbitand groupconcat quantile quantiletdigest arrayenumerate arrayexists arrayfilter arraymap arraysum
    argmaxif argminif avgif countdistinct countdistinctif datediff dividedecimal formatdatetime groupuniqarray
    lowerutf8 lengthutf8 maxif medianif minif multiif notempty now64 parsedatetimebesteffort quantileexact quantileif quantiles
    roundbankers splitbychar splitbystring startswith endswith subtractdays subtractmonths adddays addmonths addweeks addyears
    sumif sumdistinct todate todate32 todatetime todatetime64 todayofmonth todayofweek todayofyear todecimal32 todecimal64
    todecimal128 tofloat32 tofloat64 tohour toint8 toint16 toint32 toint64 toint128 tointervalday tointervalmonth toisoweek
    toisoyear tominute tomonday tomonth toquarter tosecond tostartofday tostartofhour tostartofinterval tostartofisoyear
    tostartofmonth tostartofquarter tostartofweek tostartofyear tostring tostringcutto tounixtimestamp touint8 touint16 touint32
    touint64 toweek toyear toyearweek toyyyymm toyyyymmdd toyyyymmddhhmmss tupleelement uniq uniqcombined uniqexact uniqexactif
    upperutf8 yesterday
"""
_BY_DIALECT = {
    "sqlite": frozenset(_SQLITE.split()),
    "postgres": frozenset(_POSTGRES.split()),
    "mysql": frozenset(_MYSQL.split()),
    "clickhouse": frozenset(_CLICKHOUSE.split()),
}
